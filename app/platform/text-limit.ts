import { z } from 'zod/mini'
import { characterCount } from './clean-text.ts'

/** The maximum of a text in characters, as `characterCount` counts them for people. It stands after the cleaning of the text. */
export const atMost = (most: number, error: string | { error: () => string }) =>
  [z.refine<string>((text) => text.length <= most || characterCount(text) <= most, error), z.meta({ maxLength: most })] as const
