/** A code for a phone; `userId` is whose it is. Channels other than `sms` are the business of whoever sends. */
export type PhoneCode = { phone: string; code: string; userId: string; channel?: 'sms' | 'whatsapp' }
