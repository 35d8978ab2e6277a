import { spawn } from 'node:child_process'
import { env } from '#app/platform/env.server.ts'

/**
 * Runs a script on the storage in its own process, and returns its result. Vitest would find the package of S3 as bundlers do, in a form
 * that Node cannot read.
 */
export async function runOnStorage(script: string, settings: Record<string, string>): Promise<unknown> {
  const code = `
    import { storageUrl as addressOf, openFile, partStore, putFile, removeFile } from './app/platform/storage/storage.server.ts'
    const read = async (file) => file && { size: file.size, text: Buffer.concat(await Array.fromAsync(file.stream)).toString() }
    const why = (work) => work.then(() => 'done', ({ status, data, message }) => ({ status, data, message }))
    process.stdout.write(JSON.stringify(await (async () => { ${script} })()))`
  const given = { PATH: process.env['PATH'], DATA_DIR: env.DATA_DIR, LOG_LEVEL: 'silent', ...settings }
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { env: given, stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(Buffer.concat(await Array.fromAsync(child.stdout)).toString())
}
