// Suppressions with a reason: the editor asks for it, and writes it behind the server's comment.

import * as vscode from "vscode";

export const SUPPRESS = "oakum.suppressWithReason";
const TITLE = /^Suppress (\S+) with a comment$/;

/** The actions, and for each that suppresses a finding one that asks for the reason. */
export function withReasons(
  actions: (vscode.Command | vscode.CodeAction)[],
): (vscode.Command | vscode.CodeAction)[] {
  return actions.flatMap((action) => {
    const code = TITLE.exec(action.title)?.[1];
    if (code === undefined || !(action instanceof vscode.CodeAction) || action.edit === undefined) {
      return [action];
    }
    const title = `Suppress ${code} with a reason ...`;
    const asking = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    asking.diagnostics = action.diagnostics;
    asking.command = { title, command: SUPPRESS, arguments: [code, action.edit] };
    return [action, asking];
  });
}

/** Asks for a reason, and makes the edit with it; nothing is changed where the user gives none. */
export async function suppressWithReason(code: string, edit: vscode.WorkspaceEdit): Promise<void> {
  const reason = await vscode.window.showInputBox({
    prompt: `Why ${code} is right here`,
    placeHolder: "runs on the host only",
  });
  if (reason === undefined || reason.trim() === "") {
    return;
  }
  const whole = new vscode.WorkspaceEdit();
  for (const [uri, edits] of edit.entries()) {
    for (const each of edits) {
      const text = each.newText.replace(/(\])(\s*)$/, `$1 ${reason.trim()}$2`);
      whole.replace(uri, each.range, text);
    }
  }
  await vscode.workspace.applyEdit(whole);
}
