import { z } from 'zod/mini'
import { mailboxState } from '#app/leads/mailbox/unknown-email.ts'

export const SETTINGS = '/api/settings'

/** A node of a section's form: a JSON Schema, reduced to what the form shows. */
export type FormNode = {
  type: 'object' | 'array' | 'string' | 'integer' | 'boolean'
  title?: string | undefined
  description?: string | undefined
  properties?: Record<string, FormNode> | undefined
  required?: string[] | undefined
  items?: FormNode | undefined
  maxItems?: number | undefined
  maxLength?: number | undefined
  pattern?: string | undefined
  enum?: string[] | undefined
  /** The value of a new entry. */
  default?: unknown
  /** The height of a text field. */
  'x-lines'?: number | undefined
  /** Shown beside the field before it, where there is room. */
  'x-beside'?: boolean | undefined
  /** An entry of a list is folded, and told by these of its fields. */
  'x-told'?: string[] | undefined
  /** Follows the value where it tells an entry. */
  'x-unit'?: string | undefined
  /** The heading of the group that begins with this field. */
  'x-group'?: string | undefined
  /** The field is shown only while another one of its object has one of these values. Its own value stays. */
  'x-when'?: { field: string; is: string[] } | undefined
  'x-kind'?: 'color' | 'picture' | 'zone' | 'week' | 'date' | 'country' | undefined
}

export const formNode: z.ZodMiniType<FormNode> = z.object({
  type: z.enum(['object', 'array', 'string', 'integer', 'boolean']),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  get properties() {
    return z.optional(z.record(z.string(), formNode))
  },
  required: z.optional(z.array(z.string())),
  get items() {
    return z.optional(formNode)
  },
  maxItems: z.optional(z.number()),
  maxLength: z.optional(z.number()),
  pattern: z.optional(z.string()),
  enum: z.optional(z.array(z.string())),
  default: z.optional(z.unknown()),
  'x-lines': z.optional(z.number()),
  'x-beside': z.optional(z.boolean()),
  'x-told': z.optional(z.array(z.string())),
  'x-unit': z.optional(z.string()),
  'x-group': z.optional(z.string()),
  'x-when': z.optional(z.object({ field: z.string(), is: z.array(z.string()) })),
  'x-kind': z.optional(z.enum(['color', 'picture', 'zone', 'week', 'date', 'country'])),
})

const values = z.record(z.string(), z.unknown())

const head = z.object({ section: z.string(), title: z.string(), about: z.string(), version: z.number(), isDefault: z.boolean() })

/** A section in the list. */
export const listedSection = z.extend(head, { hasDraft: z.boolean(), updatedAt: z.nullable(z.string()) })

/** A section with its form. `value` is what holds now; `draft` is for previews. */
export const settingSection = z.extend(head, {
  updatedAt: z.nullable(z.string()),
  value: values,
  draft: z.nullable(values),
  /** The public page that shows it. Empty: none does. */
  page: z.string(),
  /** A JSON Schema, which `formNode` reads. */
  form: values,
})

export const settingRevisions = z.array(
  z.object({ version: z.number(), isDefault: z.boolean(), editor: z.nullable(z.string()), createdAt: z.string() }),
)

/** How emails and calls are set up; these settings are of the process. */
export const siteConnections = z.object({
  smtp: z.nullable(z.object({ host: z.string(), from: z.string() })),
  bookingUrl: z.nullable(z.string()),
  mailbox: mailboxState,
})

export const testEmailOutcome = z.object({ sent: z.boolean(), to: z.string(), message: z.string() })

export const uploadedFile = z.object({ file: z.string() })

export type SettingSection = z.infer<typeof settingSection>
