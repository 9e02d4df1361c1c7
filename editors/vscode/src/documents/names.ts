export type DocumentKind = 'requirement' | 'dataModel';

const ENDINGS: Record<DocumentKind, string> = {
  requirement: 'dynamodb_requirement.md',
  dataModel: 'dynamodb_data_model.md',
};

/**
 * Which of the two documents a path names: in a folder with several models
 * their names begin with the model's, as in `shop.dynamodb_requirement.md`.
 */
export function kindOf(path: string): DocumentKind | undefined {
  const name = path.split('/').pop() ?? '';
  for (const kind of ['requirement', 'dataModel'] as const) {
    if (name === ENDINGS[kind] || name.endsWith(`.${ENDINGS[kind]}`)) {
      return kind;
    }
  }
  return undefined;
}

/** Whether a text was generated, at least in part. */
export function isGenerated(text: string): boolean {
  return text.includes('<!-- keywright:begin ');
}
