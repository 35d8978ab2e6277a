import { beforeEach, describe, expect, test } from 'vitest'
import type { PostDraft } from '#app/blog/posts/draft.ts'
import { DraftSaver, type DraftSaveState } from './draft-saver.ts'
import { editPost, changePostField } from './post-fields.ts'

/** A manual clock, and a server that responds on command. */
let now = 0
let waiting: { at: number; callback: () => void }[] = []
let sent: { title: string; over: number | undefined }[] = []
let states: DraftSaveState['kind'][] = []
let lastState: DraftSaveState | undefined
let answer: (value: { version: number; updatedAt: string }) => void = () => undefined
let refuse: (error: Error) => void = () => undefined

const taken = new Error('another has it')
const theirs: PostDraft = {
  fields: { ...editPost().fields, tags: [] },
  baseVersion: 0,
  version: 9,
  editorId: 'ada',
  editor: 'Ada',
  updatedAt: '2026-11-22T10:00:00.000Z',
}
/** The server has a draft with this title and version. */
class Arrived extends Error {
  readonly title: string
  readonly version: number

  constructor(title: string, version: number) {
    super('conflict')
    this.title = title
    this.version = version
  }
}
const titled = (title: string) => changePostField(editPost(), { title }).fields

function keeper(version?: number) {
  return new DraftSaver(
    {
      send: (fields, over) =>
        new Promise((resolve, reject) => {
          sent.push({ title: fields.title, over })
          answer = resolve
          refuse = reject
        }),
      judge: (error, tried) => {
        if (error === taken) return { kind: 'taken', theirs }
        if (error instanceof Arrived)
          return tried.some(({ title }) => title === error.title) ? { kind: 'adopt', version: error.version } : { kind: 'taken' }
        return error instanceof RangeError ? { kind: 'refused', reason: 'Too long.' } : { kind: 'failed', isOffline: true }
      },
      onState(state) {
        states.push(state.kind)
        lastState = state
      },
      later(callback, ms) {
        const timer = { at: now + ms, callback }
        waiting.push(timer)
        return () => void (waiting = waiting.filter((other) => other !== timer))
      },
      now: () => now,
    },
    version,
  )
}

async function turnTo(moment: number) {
  now = moment
  const due = waiting.filter(({ at }) => at <= now)
  waiting = waiting.filter(({ at }) => at > now)
  for (const { callback } of due) callback()
  await settle()
}
const settle = () => new Promise((resolve) => setImmediate(resolve))
const accept = (version: number) => {
  answer({ version, updatedAt: '2026-11-22T10:00:00.000Z' })
  return settle()
}

beforeEach(() => {
  now = 0
  waiting = []
  sent = []
  states = []
  lastState = undefined
})

describe('a draft is kept', () => {
  test('two seconds after the last key', async () => {
    const draft = keeper()
    draft.type(titled('a'))
    await turnTo(1500)
    draft.type(titled('ab'))
    await turnTo(3400)
    expect(sent).toEqual([])
    await turnTo(3500)
    expect(sent).toEqual([{ title: 'ab', over: undefined }])
    await accept(7)
    expect([states, draft.version]).toEqual([['waiting', 'waiting', 'saving', 'saved'], 7])
  })

  test('after five seconds at most, however long someone goes on typing', async () => {
    const draft = keeper(3)
    for (let at = 0; at <= 6000; at += 1000) {
      await turnTo(at)
      if (sent.length === 0) draft.type(titled(`word ${at}`))
    }
    expect(sent).toEqual([{ title: 'word 4000', over: 3 }])
  })

  test('requests run one at a time, each over the version that the last one made', async () => {
    const draft = keeper(1)
    draft.type(titled('a'))
    await turnTo(2000)
    draft.type(titled('b'))
    await turnTo(9000)
    expect(sent).toHaveLength(1)
    await accept(2)
    await turnTo(20_000)
    expect(sent).toEqual([
      { title: 'a', over: 1 },
      { title: 'b', over: 2 },
    ])
  })

  test('again and again where it could not be sent, with what was typed meanwhile', async () => {
    const draft = keeper()
    draft.type(titled('a'))
    await turnTo(2000)
    refuse(new TypeError('offline'))
    await settle()
    expect(states.at(-1)).toBe('failed')
    await turnTo(11_900)
    expect(sent).toHaveLength(1)
    await turnTo(12_000)
    expect(sent).toEqual([
      { title: 'a', over: undefined },
      { title: 'a', over: undefined },
    ])
  })
})

describe('a response that was lost', () => {
  test('is no conflict: the draft that arrived is continued with what was typed since', async () => {
    const draft = keeper()
    draft.type(titled('a'))
    await turnTo(2000)
    refuse(new TypeError('lost'))
    await settle()
    draft.type(titled('ab'))
    await turnTo(12_000)
    refuse(new Arrived('a', 5))
    await settle()
    await turnTo(12_001)
    await accept(6)
    expect([sent, states.at(-1), draft.version]).toEqual([
      [
        { title: 'a', over: undefined },
        { title: 'ab', over: undefined },
        { title: 'ab', over: 5 },
      ],
      'saved',
      6,
    ])
  })

  test('is a conflict where someone else has written since', async () => {
    const draft = keeper(1)
    draft.type(titled('a'))
    await turnTo(2000)
    refuse(new TypeError('lost'))
    await settle()
    await turnTo(12_000)
    refuse(new Arrived('theirs', 5))
    await settle()
    await turnTo(60_000)
    expect([sent.length, states.at(-1), draft.isHeld]).toEqual([2, 'elsewhere', true])
  })
})

describe('nothing is sent', () => {
  test('again that the server refuses, until something else is typed', async () => {
    const draft = keeper(1)
    draft.type(titled('too long'))
    await turnTo(2000)
    refuse(new RangeError())
    await settle()
    await turnTo(60_000)
    expect([sent.length, states.at(-1)]).toEqual([1, 'refused'])
    draft.type(titled('short'))
    await turnTo(62_000)
    expect(sent[1]).toEqual({ title: 'short', over: 1 })
  })

  test('over what another has written, until someone decides', async () => {
    const draft = keeper(4)
    draft.type(titled('mine'))
    await turnTo(2000)
    expect(draft.isSending).toBe(true)
    refuse(taken)
    await settle()
    expect(draft.isSending).toBe(false)
    expect(lastState).toEqual({ kind: 'elsewhere', theirs })
    draft.type(titled('mine, longer'))
    await draft.flush()
    await turnTo(60_000)
    expect([sent.length, states.at(-1), draft.isHeld]).toEqual([1, 'elsewhere', true])

    draft.resume(9)
    await turnTo(60_000)
    expect(sent[1]).toEqual({ title: 'mine, longer', over: 9 })
  })

  test('while the post itself is being saved, and what was under way is waited for', async () => {
    const draft = keeper()
    draft.type(titled('a'))
    await turnTo(2000)
    let isHeld = false
    const holding = draft.hold().then(() => (isHeld = true))
    draft.type(titled('b'))
    await turnTo(30_000)
    expect(isHeld).toBe(false)
    await accept(2)
    await holding
    expect(sent).toHaveLength(1)
    draft.forget()
    draft.resume()
    await turnTo(60_000)
    expect([sent.length, states.at(-1)]).toEqual([1, 'idle'])
  })
})
