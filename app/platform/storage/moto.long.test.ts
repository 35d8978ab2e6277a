import { afterAll, expect, test } from 'vitest'
import { settingsOf, startBadLine, startMoto } from '#test/moto.ts'
import { freePort } from '#test/postgres.ts'
import { runOnStorage } from '#test/storage-process.ts'

const moto = await startMoto()
const failing = await startBadLine(moto.endpoint, { failEvery: 20 })
const slow = await startBadLine(moto.endpoint, { slowMs: 400 })
afterAll(async () => {
  await failing.stop()
  await slow.stop()
  await moto.stop()
})

test('on a server of other people, files are stored, read in part, replaced and removed', async () => {
  const told = await runOnStorage(
    `
    await putFile('images/a/480.webp', Buffer.from('0123456789'))
    const part = await read(await openFile('images/a/480.webp', { start: 2, end: 4 }))
    await putFile('images/a/480.webp', Buffer.from('second'))
    const whole = await read(await openFile('images/a/480.webp'))
    await removeFile('images/a/480.webp')
    await removeFile('images/a/480.webp')
    return [part, whole, (await openFile('images/a/480.webp')) ?? 'nothing']`,
    moto.settings,
  )
  expect(told).toEqual([{ size: 10, text: '234' }, { size: 6, text: 'second' }, 'nothing'])
})

test('a file in parts is whole after the last one, can be read across them, and is nothing when it is given up', async () => {
  const told = await runOnStorage(
    `
    const parts = await partStore()
    const id = await parts.begin('datasets/a/original.csv')
    const tags = [await parts.put('datasets/a/original.csv', id, 1, Buffer.alloc(5 * 1024 ** 2, 'a'))]
    tags.push(await parts.put('datasets/a/original.csv', id, 2, Buffer.from('the end')))
    const before = (await openFile('datasets/a/original.csv')) ?? 'nothing'
    await parts.complete('datasets/a/original.csv', id, tags)
    const across = await read(await openFile('datasets/a/original.csv', { start: 5 * 1024 ** 2 - 2, end: 5 * 1024 ** 2 + 2 }))
    const other = await parts.begin('datasets/b/original.csv')
    await parts.put('datasets/b/original.csv', other, 1, Buffer.from('x'))
    await parts.abort('datasets/b/original.csv', other)
    await parts.abort('datasets/b/original.csv', other)
    return [before, across, (await openFile('datasets/b/original.csv')) ?? 'nothing']`,
    moto.settings,
  )
  expect(told).toEqual(['nothing', { size: 5 * 1024 ** 2 + 7, text: 'aathe' }, 'nothing'])
})

test('a signed address returns the file, whole and in part', async () => {
  const address = await runOnStorage(
    `
    await putFile('datasets/c/data.csv', Buffer.from('shop,price'))
    return addressOf('datasets/c/data.csv', { fileName: 'prices-v1.csv', mediaType: 'text/csv', seconds: 60 })`,
    moto.settings,
  )
  // Moto ignores the name that the address asks for; our own server checks it.
  const whole = await fetch(String(address))
  expect([whole.status, await whole.text()]).toEqual([200, 'shop,price'])
  const part = await fetch(String(address), { headers: { range: 'bytes=5-9' } })
  expect([part.status, await part.text()]).toEqual([206, 'price'])
})

test('where one request of 20 fails, and where each is slow, every file is stored and read', async () => {
  const everyFile = `
    const answers = []
    for (let turn = 0; turn < TURNS; turn += 1) {
      await putFile('images/' + turn + '/480.webp', Buffer.from('number ' + turn))
      answers.push((await read(await openFile('images/' + turn + '/480.webp'))).text)
    }
    return answers.filter((text, turn) => text === 'number ' + turn).length`
  expect(await runOnStorage(everyFile.replace('TURNS', '30'), settingsOf(failing.endpoint))).toBe(30)
  expect(failing.failures()).toBeGreaterThanOrEqual(3)
  expect(await runOnStorage(everyFile.replace('TURNS', '2'), settingsOf(slow.endpoint))).toBe(2)
})

test('a service that is not there is refused within a moment, in words for people', async () => {
  const nowhere = settingsOf(`http://127.0.0.1:${await freePort()}`)
  const told = await runOnStorage(
    `
    const begun = performance.now()
    const refusal = await why(putFile('images/a/480.webp', Buffer.from('x')))
    return { ...refusal, isSoon: performance.now() - begun < 10_000 }`,
    nowhere,
  )
  expect(told).toMatchObject({ data: 'We cannot reach our files just now. Please try again in a moment.', isSoon: true })
})
