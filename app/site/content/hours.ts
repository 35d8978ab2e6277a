/** By when someone who writes hears from a person. Elapsed hours, not business hours. Apart from terms.ts, because the forms carry it. */
export const hours = { acknowledgement: 2, response: 24, proposal: 24 } as const
