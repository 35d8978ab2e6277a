/** The maximum of each field, in characters. */
export const enquiryLimits = { name: 120, email: 254, country: 100, problem: 200, challenges: 2_000, message: 5_000, company: 120 } as const
