import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { env } from '#app/platform/env.server.ts'
import { startS3Server } from '#test/s3-server.ts'
import { runOnStorage } from '#test/storage-process.ts'

const [service, broken] = await Promise.all([startS3Server(), startS3Server()])
broken.fail(500)
afterAll(async () => Promise.all([service.close(), broken.close()]))

const bucket = {
  S3_ENDPOINT: service.endpoint,
  S3_REGION: 'eu-central-1',
  S3_BUCKET: 'winnow-files',
  S3_ACCESS_KEY_ID: service.keyId,
  S3_SECRET_ACCESS_KEY: 'a-secret-of-the-service',
}

const inBucket = (script: string, settings: Partial<typeof bucket> = {}) => runOnStorage(script, { ...bucket, ...settings })

test('files lie in the bucket under their names, are read as a whole or in part, replaced and removed', async () => {
  const told = await inBucket(`
    await putFile('images/a/480.webp', Buffer.from('0123456789'))
    await putFile('images/b/480.webp', Buffer.from('first'))
    await putFile('images/b/480.webp', Buffer.from('second'))
    const answers = [
      await read(await openFile('images/a/480.webp')), await read(await openFile('images/a/480.webp', { start: 2, end: 4 })),
      await read(await openFile('images/b/480.webp')), (await openFile('images/never/there')) ?? 'nothing',
    ]
    await removeFile('images/a/480.webp')
    await removeFile('images/a/480.webp')
    return [...answers, (await openFile('images/a/480.webp')) ?? 'nothing', (await why(putFile('../x', Buffer.from('x')))).message]`)
  expect(told).toEqual([
    { size: 10, text: '0123456789' },
    { size: 10, text: '234' },
    { size: 6, text: 'second' },
    'nothing',
    'nothing',
    'This is no name for a file.',
  ])
  expect([...service.objects].map(([key, bytes]) => [key, bytes.toString()])).toEqual([['/winnow-files/images/b/480.webp', 'second']])
  expect(existsSync(path.join(env.DATA_DIR, 'files'))).toBe(false)
})

test('a file can be fetched from the bucket by a signed address, under its own name, for as long as was said', async () => {
  const fetching = (seconds: number) =>
    `addressOf('datasets/a/data.csv', { fileName: 'prices-v1.csv', mediaType: 'text/csv', seconds: ${seconds} })`
  const told = await inBucket(`
    await putFile('datasets/a/data.csv', Buffer.from('shop,price'))
    return Promise.all([${fetching(900)}, ${fetching(1)}])`)
  const [long = '', short = ''] = Array.isArray(told) ? told.map(String) : []
  expect(new URL(long).searchParams.get('X-Amz-Expires')).toBe('900')
  const reply = await fetch(long)
  expect([reply.status, reply.headers.get('content-type'), reply.headers.get('content-disposition'), await reply.text()]).toEqual([
    200,
    'text/csv',
    'attachment; filename="prices-v1.csv"',
    'shop,price',
  ])
  await expect.poll(async () => (await fetch(short)).status).toBe(403)
  expect((await fetch(long.replace(/Signature=[^&]+/, 'Signature=x'))).status).toBe(403)
  service.objects.clear()
})

test('a service that is out of order, does not know our key, or is not there means that files cannot be reached now', async () => {
  const script = `return Promise.all([putFile('c', Buffer.from('x')), openFile('c'), removeFile('c')].map(why))`
  const others = [{ S3_ENDPOINT: broken.endpoint }, { S3_ACCESS_KEY_ID: 'AKIDOTHER' }, { S3_ENDPOINT: 'http://127.0.0.1:9' }]
  const told = { status: 503, data: 'We cannot reach our files just now. Please try again in a moment.' }
  expect(await Promise.all(others.map((settings) => inBucket(script, settings)))).toEqual(others.map(() => [told, told, told]))
  expect(service.objects.has('/winnow-files/c')).toBe(false)
})
