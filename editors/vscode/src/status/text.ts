/** What the server's `keywright.modelStatus` answers, for one model. */
export interface ModelStatus {
  /** The file that nothing imports. */
  readonly root: string;
  /** Findings of all files of the model. */
  readonly findings: Findings;
  /** What the model costs, as in the text: `$126/mo`, `≤ $40.00/mo`, `$?/mo`. */
  readonly monthly: string;
}

export interface Findings {
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  readonly hints: number;
}

export interface Shown {
  readonly text: string;
  readonly tooltip: string;
}

/** What the status item says of the models that the file in front belongs to. */
export function shown(models: readonly ModelStatus[]): Shown | undefined {
  const [first, ...others] = models;
  if (first === undefined) {
    return undefined;
  }
  const errors = sum(models, 'errors');
  const warnings = sum(models, 'warnings');
  // Several models have several bills, which only the tooltip can tell.
  const cost = others.length === 0 ? first.monthly : `${models.length} models`;
  const counts = errors + warnings === 0 ? '$(check)' : `$(error) ${errors} $(warning) ${warnings}`;
  return {
    text: `$(database) ${cost}  ${counts}`,
    tooltip: models.map(described).join('\n\n'),
  };
}

function described(model: ModelStatus): string {
  const { errors, warnings, infos, hints } = model.findings;
  const parts = [
    counted(errors, 'error'),
    counted(warnings, 'warning'),
    counted(infos, 'remark'),
    counted(hints, 'hint'),
  ].filter(part => part !== undefined);
  const found = parts.length === 0 ? 'nothing found' : parts.join(', ');
  return `**${escaped(model.root)}**: ${escaped(model.monthly)}, ${found}`;
}

function counted(count: number, noun: string): string | undefined {
  return count === 0 ? undefined : `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function sum(models: readonly ModelStatus[], level: keyof Findings): number {
  return models.reduce((all, model) => all + model.findings[level], 0);
}

/** A text as Markdown that means nothing but itself. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~$&]/g, '\\$&');
}
