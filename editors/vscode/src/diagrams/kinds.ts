/** The kinds of diagrams that generated documents hold, and that the bundled Mermaid knows. */
const KNOWN = /^\s*(?:erDiagram|flowchart|graph)\b/;

/** Whether a text can be drawn here. What cannot stays as the text that it is. */
export function canDraw(source: string): boolean {
  return KNOWN.test(source);
}

/** Mermaid's theme for a preview, from the classes of its body. */
export function themeFor(classes: string): 'dark' | 'default' {
  const names = classes.split(/\s+/);
  const isDark = names.includes('vscode-dark') || names.includes('vscode-high-contrast');
  return isDark && !names.includes('vscode-high-contrast-light') ? 'dark' : 'default';
}
