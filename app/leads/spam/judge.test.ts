import { expect, test } from 'vitest'
import { ageOfFormToken, issueFormToken } from './form-token.server.ts'
import { judge } from './judge.server.ts'
import { challengeFor, spendProof } from '#app/platform/guard/proof-of-work.server.ts'
import { solveProof } from '#app/platform/browser/solve-proof.ts'

const clean = { name: 'Ada', email: 'ada@analytical.example', lines: [], message: 'We compare prices by hand and would like a table.' }
const doubtful = { ...clean, message: 'Nice! <a href="https://spam.example">click</a> to see more' }
const nothing = { trapped: false, token: undefined, proof: undefined }
const subject = 'ada@analytical.example and her words'
const openedAgo = (ms: number) => issueFormToken(Date.now() - ms)

test('clean words need nothing beside them', async () => {
  expect(await judge(clean, nothing, subject)).toEqual({ outcome: 'clean', score: 0, reasons: [] })
})

test('a form that was filled in less than 2 seconds is doubtful, and script can settle that by work', async () => {
  expect(await judge(clean, { ...nothing, token: openedAgo(1_500) }, subject)).toMatchObject({ outcome: 'prove', reasons: ['too_fast'] })
  expect(await judge(clean, { ...nothing, token: openedAgo(2_500) }, subject)).toMatchObject({ outcome: 'clean' })
})

test('a doubtful text goes to staff without JavaScript, and needs a proof of work with it', async () => {
  expect(await judge(doubtful, nothing, subject)).toMatchObject({ outcome: 'quarantine', reasons: ['markup'] })
  expect(await judge(doubtful, { ...nothing, token: openedAgo(60_000) }, subject)).toMatchObject({ outcome: 'prove' })
})

test('work that was done clears a doubt, for these words alone and only once they are doubtful', async () => {
  const proof = await solveProof(JSON.parse(JSON.stringify(await challengeFor(subject))))
  const token = openedAgo(60_000)

  expect(await judge(doubtful, { ...nothing, token, proof }, subject)).toMatchObject({ outcome: 'clean', reasons: ['markup'] })
  expect(await judge(doubtful, { ...nothing, token, proof }, 'other words')).toMatchObject({ outcome: 'quarantine' })
  expect(await judge(doubtful, { trapped: true, token, proof }, subject)).toMatchObject({
    outcome: 'quarantine',
    reasons: ['markup', 'hidden_field'],
  })
})

test('a machine that cannot do the work is not asked again', async () => {
  expect(await judge(doubtful, { ...nothing, token: openedAgo(60_000), proof: null }, subject)).toMatchObject({ outcome: 'quarantine' })
})

test('a proof that was made up, made easier or made too late proves nothing', async () => {
  const challenge = await challengeFor(subject)
  const proof = await solveProof(challenge)
  if (!proof) throw new Error('The work could not be done here.')
  const { parameters, signature } = proof.challenge

  for (const change of [{ cost: 1 }, { keyPrefix: '0' }, { expiresAt: parameters.expiresAt + 1000 }, { nonce: '0'.repeat(32) }]) {
    expect(await spendProof({ ...proof, challenge: { parameters: { ...parameters, ...change }, signature } }, subject)).toBe(false)
  }
  for (const given of [
    undefined,
    null,
    0,
    'x',
    [],
    {},
    { challenge, solution: { counter: -1, derivedKey: '' } },
    { challenge, solution: null },
  ]) {
    expect(await spendProof(given, subject)).toBe(false)
  }
  expect(await spendProof(proof, subject)).toBe(true)
})

test('work that was done once clears one message, however often its proof is sent', async () => {
  const evidence = { ...nothing, token: openedAgo(60_000), proof: await solveProof(await challengeFor(subject)) }
  const verdicts = await Promise.all(Array.from({ length: 5 }, () => judge(doubtful, evidence, subject)))
  expect(verdicts.map(({ outcome }) => outcome).toSorted()).toEqual(['clean', ...Array(4).fill('quarantine')])
})

test('only our tokens tell a time, and only for a day', () => {
  const token = issueFormToken()
  expect(ageOfFormToken(token)).toBeLessThan(60_000)
  expect(ageOfFormToken(issueFormToken(Date.now() - 25 * 3_600_000))).toBeUndefined()
  expect(ageOfFormToken(issueFormToken(Date.now() + 60_000))).toBeUndefined()
  const [time, salt, signature] = token.split('.')
  for (const forged of [
    '',
    '.',
    '..',
    `${time}.${salt}`,
    `1.${salt}.${signature}`,
    `${time}.${salt}.AAAA`,
    `${token}x`,
    '\u0000',
    'x'.repeat(100_000),
  ]) {
    expect(ageOfFormToken(forged)).toBeUndefined()
  }
})
