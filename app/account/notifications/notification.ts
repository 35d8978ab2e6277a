import { z } from 'zod/mini'
import type { AccountRight, Role } from '#app/auth/users/role.ts'

export const NOTIFICATIONS = '/api/notifications'

/** Every kind: its label in the filter, and the roles that may see it; of staff, only those with its right. A person who loses them no longer sees it. */
export const notificationKinds = {
  lead: { label: 'New leads', roles: ['staff', 'owner'] },
  assigned: { label: 'Assigned to you', roles: ['staff', 'owner'] },
  reply: { label: 'Replies from leads', roles: ['staff', 'owner'] },
  mention: { label: 'Mentions', roles: ['staff', 'owner'] },
  clock: { label: 'Reply deadlines', roles: ['staff', 'owner'] },
  booking: { label: 'Calls', roles: ['staff', 'owner'] },
  access_request: { label: 'Access requests', roles: ['owner'] },
  import: { label: 'Dataset imports', roles: ['staff', 'owner'] },
  email_failed: { label: 'Failed emails', roles: ['staff', 'owner'] },
  webhook_disabled: { label: 'Disabled webhooks', roles: ['owner'] },
  access_decision: { label: 'Access decisions', roles: ['customer', 'staff', 'owner'] },
  dataset_version: { label: 'New dataset versions', roles: ['customer', 'staff', 'owner'] },
  paid_dataset_version: { label: 'New versions of paid datasets', roles: ['customer', 'owner'] },
  organization: { label: 'Your organizations', roles: ['customer', 'staff', 'owner'] },
  organization_admin: { label: 'Organizations without an admin', roles: ['staff', 'owner'] },
  order: { label: 'Orders', roles: ['customer', 'staff', 'owner'] },
  payment_problem: { label: 'Payments that need you', roles: ['staff', 'owner'], right: 'billing.write' },
  key_expiry: { label: 'Expiring API keys', roles: ['customer', 'staff', 'owner'] },
} as const satisfies Record<string, { label: string; roles: readonly Role[]; right?: AccountRight }>

export const notificationKind = z.enum([
  'lead',
  'assigned',
  'reply',
  'mention',
  'clock',
  'booking',
  'access_request',
  'import',
  'email_failed',
  'webhook_disabled',
  'access_decision',
  'dataset_version',
  'paid_dataset_version',
  'organization',
  'organization_admin',
  'order',
  'payment_problem',
  'key_expiry',
] satisfies (keyof typeof notificationKinds)[])

export type NotificationKind = z.infer<typeof notificationKind>

/** The right that staff need beside their role to see a kind. */
export function rightOf(kind: NotificationKind): AccountRight | undefined {
  const settings = notificationKinds[kind]
  return 'right' in settings ? settings.right : undefined
}

/** The kinds that a person may see. */
export function kindsFor({ role, rights }: { role: Role; rights: readonly AccountRight[] }): NotificationKind[] {
  return notificationKind.options.filter((kind) => {
    const right = rightOf(kind)
    const isAllowed = role !== 'staff' || !right || rights.includes(right)
    return isAllowed && notificationKinds[kind].roles.some((each) => each === role)
  })
}

/** `link` is a path of this site. Times are ISO 8601. */
export const notification = z.object({
  id: z.string(),
  kind: notificationKind,
  title: z.string(),
  body: z.nullable(z.string()),
  link: z.string(),
  readAt: z.nullable(z.string()),
  createdAt: z.string(),
})

export type Notification = z.infer<typeof notification>

/** `unread` counts all unread ones of the person, whatever the filter. `nextCursor` is null on the last page. */
export const notificationPage = z.object({
  items: z.array(notification),
  unread: z.number(),
  nextCursor: z.nullable(z.string()),
})

export type NotificationPage = z.infer<typeof notificationPage>

export type NotificationFilter = { unread?: boolean; kind?: NotificationKind | undefined }

export function notificationsUrl({ unread, kind }: NotificationFilter, cursor?: string): string {
  const query = new URLSearchParams({ ...(unread && { unread: 'true' }), ...(kind && { kind }), ...(cursor && { cursor }) }).toString()
  return query ? `${NOTIFICATIONS}?${query}` : NOTIFICATIONS
}
