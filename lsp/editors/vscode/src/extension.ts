// The extension: starts the server, shows its state, and restarts it when another one is chosen.

import * as vscode from "vscode";
import {
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
  State,
} from "vscode-languageclient/node";
import { SUPPRESS, suppressWithReason, withReasons } from "./reasons";
import { NotFoundError, findServer, onInterpreterChange } from "./server";

const SELECTOR: { language: string; scheme: string }[] = [
  { language: "python", scheme: "file" },
  { language: "python", scheme: "untitled" },
  { language: "python", scheme: "vscode-notebook-cell" },
];
const RESTARTING = ["path", "interpreter", "maxSeconds", "semanticTokens"];

class Oakum {
  private client: LanguageClient | undefined;
  private starting: Promise<void> = Promise.resolve();
  private readonly log = vscode.window.createOutputChannel("oakum", { log: true });
  private readonly status = vscode.languages.createLanguageStatusItem("oakum", SELECTOR);

  constructor(context: vscode.ExtensionContext) {
    this.status.name = "oakum";
    this.status.command = { title: "Restart", command: "oakum.restart" };
    context.subscriptions.push(
      this.log,
      this.status,
      vscode.commands.registerCommand("oakum.restart", () => this.restart()),
      vscode.commands.registerCommand("oakum.showLog", () => this.log.show()),
      vscode.commands.registerCommand("oakum.fixAll", fixAll),
      vscode.commands.registerCommand(SUPPRESS, suppressWithReason),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (RESTARTING.some((name) => change.affectsConfiguration(`oakum.${name}`))) {
          void this.restart();
        }
      }),
    );
  }

  /** Ends the server, if one runs, and starts one; one restart waits for the other. */
  restart(): Promise<void> {
    this.starting = this.starting.then(async () => {
      await this.stop();
      try {
        await this.start();
      } catch (error) {
        await this.complain(error);
      }
    });
    return this.starting;
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose();
  }

  private async start(): Promise<void> {
    this.show("starting", vscode.LanguageStatusSeverity.Information, true);
    const found = await findServer();
    const settings = vscode.workspace.getConfiguration("oakum");
    const seconds = String(settings.get<number>("maxSeconds", 10));
    this.log.info(`starting ${[found.command, ...found.args].join(" ")}: ${found.version}`);
    const server: ServerOptions = {
      command: found.command,
      args: [...found.args, "lsp", "--max-seconds", seconds],
    };
    const options: LanguageClientOptions = {
      documentSelector: SELECTOR,
      outputChannel: this.log,
      initializationOptions: settings,
      synchronize: { configurationSection: "oakum" },
      middleware: {
        provideCodeActions: async (document, range, context, token, next) =>
          withReasons((await next(document, range, context, token)) ?? []),
      },
    };
    const client = new LanguageClient("oakum", "oakum", server, options);
    client.onDidChangeState(({ newState }) => {
      if (client === this.client && newState === State.Stopped) {
        this.show("stopped", vscode.LanguageStatusSeverity.Error);
      }
    });
    this.client = client;
    await client.start();
    this.show(found.version, vscode.LanguageStatusSeverity.Information);
  }

  private show(text: string, severity: vscode.LanguageStatusSeverity, busy = false): void {
    this.status.text = text.startsWith("oakum") ? text : `oakum: ${text}`;
    this.status.severity = severity;
    this.status.busy = busy;
  }

  private async complain(error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    this.log.error(message);
    const state = error instanceof NotFoundError ? "not found" : "failed";
    this.show(state, vscode.LanguageStatusSeverity.Error);
    const settings = "Open settings";
    // Not awaited: the next restart must not wait for the user.
    void vscode.window.showErrorMessage(message, settings, "Show the log").then((chosen) => {
      if (chosen === settings) {
        void vscode.commands.executeCommand("workbench.action.openSettings", "oakum");
      } else if (chosen !== undefined) {
        this.log.show();
      }
    });
  }
}

/** Makes all safe fixes in the file that is looked at. */
async function fixAll(): Promise<void> {
  await vscode.commands.executeCommand("editor.action.codeAction", {
    kind: "source.fixAll.oakum",
    apply: "first",
  });
}

let running: Oakum | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const oakum = new Oakum(context);
  running = oakum;
  context.subscriptions.push(await onInterpreterChange(() => void oakum.restart()));
  await oakum.restart();
}

export function deactivate(): Promise<void> | undefined {
  return running?.stop();
}
