import { z } from 'zod/mini'

/** Where an enquiry, a booking, an account or a subscription came from: what the browser said with the form, and nothing else. */
export const source = z.object({
  form: z.string(),
  /** The path of the page with the form. */
  path: z.nullable(z.string()),
  /** The host of the page before it, on another site. */
  referrer: z.nullable(z.string()),
  /** `utm_…` and `ref` of the address of the page with the form. */
  campaign: z.record(z.string(), z.string()),
})

export type Source = z.infer<typeof source>

const TEXT = 'must be text'

/** What a form says of itself: the address of its page, and the address of the page before it. */
export const sourceFields = {
  page: z.optional(z.string(`page ${TEXT}`)),
  referrer: z.optional(z.string(`referrer ${TEXT}`)),
}

export type SaidSource = { page?: string | undefined; referrer?: string | undefined }

/** `utm_source=ads, ref=42`, for people and exports. */
export function campaignText({ campaign }: Source): string {
  return Object.entries(campaign)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')
}
