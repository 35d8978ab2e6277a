/** Stands for the writer of what was there before anyone had an account: the business is named as the author. */
export const NOBODY = { id: '00000000-0000-7000-8000-000000000000', role: 'owner' } as const
