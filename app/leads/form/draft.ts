import { z } from 'zod/mini'
import type { EnquiryFormKind } from '#app/leads/lead/contact.ts'

const KEPT_MS = 7 * 24 * 60 * 60 * 1000

const draft = z.object({
  values: z.record(z.string(), z.string()),
  savedAt: z.number(),
  /** The attempt that may have reached the server: an unchanged message is resent under the same key. */
  attempt: z.optional(z.object({ key: z.string(), content: z.string() })),
})

export type EnquiryDraft = z.infer<typeof draft>

/** The localStorage key of a form's unsent text. The page hydrates its form early when there is some. */
export function draftKey(form: EnquiryFormKind): string {
  return `winnow:draft:${form}`
}

export function saveDraft(form: EnquiryFormKind, { values, attempt }: Pick<EnquiryDraft, 'values' | 'attempt'>): void {
  const kept = JSON.stringify({ values, attempt, savedAt: Date.now() } satisfies EnquiryDraft)
  quietly(() => (Object.values(values).some(Boolean) ? localStorage.setItem(draftKey(form), kept) : clearDraft(form)))
}

/** Returns the unsent text of the last week. */
export function readEnquiryDraft(form: EnquiryFormKind): EnquiryDraft | undefined {
  const text = quietly(() => localStorage.getItem(draftKey(form)))
  const read = draft.safeParse(quietly((): unknown => JSON.parse(text ?? 'null')))
  return read.success && Date.now() - read.data.savedAt < KEPT_MS ? read.data : undefined
}

export function clearDraft(form: EnquiryFormKind): void {
  quietly(() => localStorage.removeItem(draftKey(form)))
}

/** A browser may refuse to store (private windows, full disks): then there is no draft. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
