import { z } from 'zod/mini'

/** The form of an id, of any version and in any case. */
export const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** An id of a request, with the sentence for anything else. */
export const uuid = (sentence: string) => z.string(sentence).check(z.regex(UUID, sentence))
