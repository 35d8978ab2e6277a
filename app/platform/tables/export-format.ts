import { z } from 'zod/mini'

/** The formats of every list that can be taken away. */
export const exportFormat = z.optional(z.enum(['csv', 'xlsx'], 'format is csv or xlsx'))
