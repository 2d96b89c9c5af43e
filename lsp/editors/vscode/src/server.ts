// Finds the command that starts the server.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";

const run = promisify(execFile);
const ANSWER_MS = 20_000;

/** A command that starts oakum, without its own arguments. */
export interface ServerCommand {
  command: string;
  args: string[];
  version: string;
}

/** Why no server can be started, in words for the user. */
export class NotFoundError extends Error {}

interface PythonExtension {
  environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(path: {
      path: string;
    }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath(listener: () => void): vscode.Disposable;
  };
}

async function pythonExtension(): Promise<PythonExtension | undefined> {
  const found = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  return found === undefined ? undefined : await found.activate();
}

/** Calls back when another interpreter is chosen in the Python extension. */
export async function onInterpreterChange(listener: () => void): Promise<vscode.Disposable> {
  const environments = (await pythonExtension())?.environments;
  return environments?.onDidChangeActiveEnvironmentPath(listener) ?? { dispose: () => {} };
}

async function chosenInterpreter(): Promise<string | undefined> {
  const stated = vscode.workspace.getConfiguration("oakum").get<string>("interpreter", "");
  if (stated !== "") {
    return stated;
  }
  const environments = (await pythonExtension())?.environments;
  if (environments === undefined) {
    return undefined;
  }
  const active = environments.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
  const resolved = await environments.resolveEnvironment(active);
  return resolved?.executable.uri?.fsPath;
}

async function answers(command: string, args: string[]): Promise<ServerCommand | undefined> {
  try {
    const { stdout } = await run(command, [...args, "--version"], { timeout: ANSWER_MS });
    return { command, args, version: stdout.trim() };
  } catch {
    return undefined;
  }
}

/** The command of the first place that has oakum. */
export async function findServer(): Promise<ServerCommand> {
  const path = vscode.workspace.getConfiguration("oakum").get<string>("path", "");
  if (path !== "") {
    const found = await answers(path, []);
    if (found === undefined) {
      throw new NotFoundError(`oakum.path is "${path}", which does not answer to --version.`);
    }
    return found;
  }
  const interpreter = await chosenInterpreter();
  const inInterpreter =
    interpreter === undefined ? undefined : await answers(interpreter, ["-P", "-m", "oakum_lint"]);
  const found = inInterpreter ?? (await answers("oakum", []));
  if (found === undefined) {
    const where = interpreter === undefined ? "" : `in ${interpreter}, nor `;
    throw new NotFoundError(
      `oakum is not installed ${where}on the PATH. Install it there, or set oakum.path.`,
    );
  }
  return found;
}
