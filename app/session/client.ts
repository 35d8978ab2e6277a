/** Where a sign-in came from, kept with its session so that a person can recognise it. */
export type Client = { address: string; userAgent: string | undefined }
