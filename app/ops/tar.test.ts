import fc from 'fast-check'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { env } from '#app/platform/env.server.ts'
import { packTar, unpackTar } from './tar.server.ts'

type File = { name: string; content: Buffer }

async function* once(content: Buffer) {
  yield content
}

async function pack(files: File[]): Promise<Buffer> {
  return Buffer.concat(
    await Array.fromAsync(packTar(files.map(({ name, content }) => ({ name, size: content.length, content: once(content) })))),
  )
}

async function unpack(archive: Buffer, pieces: number): Promise<File[]> {
  const chunks = Array.from({ length: Math.ceil(archive.length / pieces) }, (_, at) => archive.subarray(at * pieces, (at + 1) * pieces))
  const files: File[] = []
  for await (const { name, content } of unpackTar(Readable.from(chunks))) {
    files.push({ name, content: Buffer.concat(await Array.fromAsync(content)) })
  }
  return files
}

const name = fc.stringMatching(/^(files|keys)\/[a-zü\d.-]{1,60}(\/[a-z\d-]{1,60})?$/)
const content = fc.uint8Array({ maxLength: 1500 }).map((bytes) => Buffer.from(bytes))

test('whatever is packed comes out again, however the stream is cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ name, content }), { maxLength: 5 }), fc.integer({ min: 1, max: 700 }), async (files, pieces) => {
      expect(await unpack(await pack(files), pieces)).toEqual(files)
    }),
    { numRuns: 60 },
  )
})

test('the tar of the machine reads it', async () => {
  const file = path.join(env.DATA_DIR, 'packed.tar')
  const long = `files/${'a'.repeat(90)}/${'b'.repeat(50)}`
  writeFileSync(file, await pack([{ name: long, content: Buffer.from('hello') }]))
  expect(execFileSync('tar', ['-tf', file], { encoding: 'utf8' }).trim()).toBe(long)
  expect(execFileSync('tar', ['-xOf', file], { encoding: 'utf8' })).toBe('hello')
})

test('an archive that was cut short or altered in a header says so', async () => {
  const archive = await pack([{ name: 'files/one', content: Buffer.from('one') }])
  await expect(unpack(archive.subarray(0, 700), 512)).rejects.toThrow('The archive ends too early.')
  archive.write('x', 3)
  await expect(unpack(archive, 512)).rejects.toThrow('A header of the archive is damaged.')
})
