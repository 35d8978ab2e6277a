// What a test file needs, by its text.

/** It opens the product's database, so it gets its own. */
export function opensDatabase(text: string): boolean {
  return /\b(openDatabase|startApp|startEndpoints)\b/.test(text)
}

/** It changes settings or mocks a module. */
export function needsOwnModules(text: string): boolean {
  return /\bprocess\.env\b|\b(use|with)Settings\b|#test\/hosted\.ts|\bvi\.(mock|resetModules|stubGlobal|stubEnv)\b/.test(text)
}

/** It looks at the files of its database, or lets other processes do so: then nothing may hold them open. */
export function needsOwnEngine(text: string): boolean {
  return /\b(DATA_DIR|dataDir|openEmbedded|spawn\w*|fork|execFile\w*|startServer|pglite)\b|#test\/hosted\.ts/.test(text)
}
