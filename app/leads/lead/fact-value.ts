import { z } from 'zod/mini'
import { atMost, oneLine } from '#app/platform/text/clean-text.ts'
import { isoMoment } from '#app/platform/time/iso-moment.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { chosenStage } from './stage.ts'

export const printable = z.regex(/^\P{Cc}*$/u, 'Use visible characters only.')

/** A pattern, because `z.uuid` would add 1 kB to the script that all forms share. */
export const UUID_TEXT = String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`
const UUID = new RegExp(`^${UUID_TEXT}$`, 'i')
export const anyUuid = (sentence: string) => z.string(sentence).check(z.regex(UUID, sentence))

/** Of one lead. */
export const MOST_TAGS = 20

export const leadTag = z
  .string('A tag is a text.')
  .check(z.trim(), z.minLength(1, 'A tag has 1 to 40 characters.'), ...atMost(40, 'A tag has 1 to 40 characters.'), printable)

const line = (label: string, most: number) =>
  z
    .string(`${label} must be a text.`)
    .check(z.overwrite(oneLine), ...atMost(most, { error: () => `${label} must be at most ${numberText(most)} characters.` }))

export const filledLine = (label: string, most: number) => line(label, most).check(z.minLength(1, `${label} is required.`))

/** In a filter: a text that is a part of the value, or the value itself. */
export const searched = (sentence: string) => z.optional(z.string(sentence).check(z.trim(), ...atMost(200, sentence), printable))

export const moment = isoMoment('Give a time in ISO 8601, such as 2026-11-25T09:00:00Z.')

const MONEY = 'A value is a number, 0 or more.'

/** The kinds of facts: how a value is stored, and how staff give it. */

/** A text of one line that may be missing. */
export const text = (label: string, most: number) =>
  ({ kind: 'text', most, stored: z.nullable(z.string()), given: z.nullable(line(label, most)) }) as const

/** A text of one line that is never missing. */
export const filledText = (label: string, most: number) =>
  ({ kind: 'text', most, stored: z.string(), given: filledLine(label, most) }) as const

export const phone = { ...text('The phone number', 40), kind: 'tel' } as const

/** In cents. */
export const money = {
  kind: 'money',
  stored: z.nullable(z.number()),
  given: z.nullable(z.number(MONEY).check(z.int(MONEY), z.minimum(0, MONEY), z.maximum(1e12, MONEY))),
} as const

export const time = { kind: 'moment', stored: z.nullable(z.string()), given: z.nullable(moment) } as const

export const flag = (sentence: string) => ({ kind: 'flag', stored: z.boolean(), given: z.boolean(sentence) }) as const

export const stage = { kind: 'stage', stored: z.number(), given: chosenStage } as const

export const owner = { kind: 'owner', stored: z.nullable(z.string()), given: z.nullable(anyUuid('Choose an owner.')) } as const

export const tags = {
  kind: 'tags',
  stored: z.array(z.string()),
  given: z.array(leadTag, 'Tags are a list.').check(z.maxLength(MOST_TAGS, `A lead has at most ${MOST_TAGS} tags.`)),
} as const
