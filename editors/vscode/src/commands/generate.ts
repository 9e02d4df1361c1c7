import { Uri, window } from 'vscode';
import type { DocumentKind } from '../documents/names';
import type { Previews } from '../documents/preview';
import { NotRunning, type Session } from '../server/session';
import { tellNotRunning } from '../server/messages';
import { bringToFront, modelInFront } from './model';

/** Makes or refreshes a document of the model in front, and shows it. */
export async function generate(session: Session, previews: Previews, kind: DocumentKind): Promise<void> {
  const model = await modelInFront('Which model is the document of?');
  if (model === undefined) {
    return;
  }
  const editor = await bringToFront(model);
  try {
    // The edit comes from the server by itself, and so does whatever it has to say or to ask.
    const answer = await session.run<{ documents: string[] } | null>('keywright.generateDocument', {
      uri: model.toString(),
      kind,
    });
    await previews.generated((answer?.documents ?? []).map(uri => Uri.parse(uri)), editor);
  } catch (error) {
    await tell(session, error);
  }
}

/** Tells why a command of the server came to nothing. */
export async function tell(session: Session, error: unknown): Promise<void> {
  if (error instanceof NotRunning) {
    await tellNotRunning(session);
    return;
  }
  const text = error instanceof Error ? error.message : String(error);
  await window.showErrorMessage(`Keywright: ${text}`);
}
