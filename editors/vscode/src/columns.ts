/** What of the editor's columns counts for where something is shown. */
export interface Columns {
  /** The columns that there are, from 1. */
  readonly all: readonly number[];
  /** The one that it is shown beside. */
  readonly active: number;
  /** Whether that one shows a page that is only read. */
  readonly isPage: boolean;
}

/**
 * Where a page goes that belongs beside what is in front: to the right of it, if
 * there is a column already, else to the left, and into a new one only where
 * there is but one. A page is followed by the next in its own column. Nothing if
 * a new column has to be opened.
 */
export function columnBeside({ all, active, isPage }: Columns): number | undefined {
  if (isPage && all.length > 1) {
    return active;
  }
  const right = all.filter(column => column > active);
  const left = all.filter(column => column < active);
  return right.length > 0 ? Math.min(...right) : left.length > 0 ? Math.max(...left) : undefined;
}
