// Finds the needs of a test file in its text.

/** It opens the product's database, so it gets its own. */
export function opensDatabase(text: string): boolean {
  return /\b(openDatabase|startApp|startAuth|startEndpoints)\b/.test(text)
}

/** It changes settings or mocks a module. */
export function needsOwnModules(text: string): boolean {
  return /\bprocess\.env\b|\b(use|with)Settings\b|#test\/hosted\.ts|\bvi\.(mock|resetModules|stubGlobal|stubEnv)\b/.test(text)
}

/** It starts processes, and so takes long. */
export function startsProcesses(text: string): boolean {
  return /\b(spawn|fork|execFile|execFileSync)\b/.test(text)
}
