/** A code for the phone of the user `userId`. The SMS webhook interprets channels other than `sms`. */
export type PhoneCode = { phone: string; code: string; userId: string; channel?: 'sms' | 'whatsapp' }
