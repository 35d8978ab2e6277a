import { z } from 'zod/mini'
import type { EnquiryForm } from '#app/leads/contact.ts'

const KEPT_MS = 7 * 24 * 60 * 60 * 1000

const draft = z.object({
  values: z.record(z.string(), z.string()),
  savedAt: z.number(),
  /** The attempt that may have arrived without our knowing: what is sent again unchanged goes under the same key. */
  attempt: z.optional(z.object({ key: z.string(), content: z.string() })),
})

export type Draft = z.infer<typeof draft>

/** Where a form's unsent words wait in the browser. The page wakes its form early when there are some. */
export function draftKey(form: EnquiryForm): string {
  return `winnow:draft:${form}`
}

export function saveDraft(form: EnquiryForm, { values, attempt }: Pick<Draft, 'values' | 'attempt'>): void {
  const kept = JSON.stringify({ values, attempt, savedAt: Date.now() } satisfies Draft)
  quietly(() => (Object.values(values).some(Boolean) ? localStorage.setItem(draftKey(form), kept) : clearDraft(form)))
}

/** What was typed within the last week and not sent. */
export function readDraft(form: EnquiryForm): Draft | undefined {
  const text = quietly(() => localStorage.getItem(draftKey(form)))
  const read = draft.safeParse(quietly((): unknown => JSON.parse(text ?? 'null')))
  return read.success && Date.now() - read.data.savedAt < KEPT_MS ? read.data : undefined
}

export function clearDraft(form: EnquiryForm): void {
  quietly(() => localStorage.removeItem(draftKey(form)))
}

/** A browser may keep nothing (private windows, full disks): then there is no draft, and that is all. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
