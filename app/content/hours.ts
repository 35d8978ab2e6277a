/** The deadlines of a person's reply. Elapsed hours, not business hours. Separate from terms.ts, because the forms' script includes it. */
export const hours = { acknowledgement: 2, response: 24, proposal: 24 } as const
