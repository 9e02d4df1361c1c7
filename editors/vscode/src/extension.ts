import { type ExtensionContext, window, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

let client: LanguageClient | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  await start();
  context.subscriptions.push(
    workspace.onDidChangeConfiguration(async event => {
      if (event.affectsConfiguration('keywright.server.path')) {
        await deactivate();
        await start();
      }
    }),
  );
}

export async function deactivate(): Promise<void> {
  const running = client;
  client = undefined;
  if (running?.isRunning()) {
    await running.stop();
  }
}

async function start(): Promise<void> {
  const configured = workspace.getConfiguration('keywright').get<string>('server.path', '').trim();
  const command = configured || 'keywright';
  client = new LanguageClient(
    'keywright',
    'Keywright',
    { command, args: ['lsp'] },
    { documentSelector: [{ language: 'dynamo' }] },
  );
  try {
    await client.start();
  } catch (error) {
    const where = configured ? 'the setting `keywright.server.path`' : 'the PATH';
    const reason = error instanceof Error ? error.message : String(error);
    void window.showErrorMessage(`Keywright: cannot start \`${command}\`, taken from ${where}: ${reason}`);
  }
}
