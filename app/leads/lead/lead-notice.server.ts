import { nameOf } from '#app/auth/users/user-name.ts'
import { type NewNotification, notify } from '#app/account/notifications/notification.server.ts'
import { currentAccounts, listAccountIds } from '#app/auth/users/account.server.ts'
import { newId, type Trx } from '#app/platform/database/db.server.ts'
import { shortened } from '#app/platform/text/shortened.ts'
import { numberText } from '#app/platform/text/english-number.ts'

type Assigned = { contactId: string; ownerId: string; actorId: string }

/** Tells the new owner of a lead, unless they took it themselves. */
export async function notifyAssigned(trx: Trx, { contactId, ownerId, actorId }: Assigned): Promise<void> {
  if (ownerId === actorId) return
  const { name, reference } = await leadOf(trx, contactId)
  await notify(trx, {
    kind: 'assigned',
    title: `Lead assigned to you: ${name}`.slice(0, 200),
    body: reference,
    link: `/leads/${reference}`,
    subjectId: contactId,
    // Given away and back, it is news again.
    dedupeKey: `assigned:${contactId}:${newId()}`,
    to: { userIds: [ownerId] },
  })
}

type AssignedBatch = { batchId: string; ownerId: string; actorId: string; leads: number }

/** One notification for a bulk change, however many leads it has. */
export async function notifyAssignedBatch(trx: Trx, { batchId, ownerId, actorId, leads }: AssignedBatch): Promise<void> {
  if (ownerId === actorId) return
  await notify(trx, {
    kind: 'assigned',
    title: leads === 1 ? 'A lead was assigned to you' : `${numberText(leads)} leads assigned to you`,
    link: '/leads?owner=me',
    dedupeKey: `assigned:${batchId}`,
    to: { userIds: [ownerId] },
  })
}

/**
 * The first of these people who is still on the staff; if none is, all staff. Leads and tasks stay with people who have left, are suspended, or
 * whose rights are paused, and who cannot read notices.
 */
export async function staffAmong(trx: Trx, ids: readonly (string | null)[]): Promise<NewNotification['to']> {
  const staff = await listAccountIds(['staff', 'owner'], { isEffective: true, connection: trx })
  const found = ids.find((id) => id !== null && staff.includes(id))
  return found ? { userIds: [found] } : { roles: ['staff', 'owner'] }
}

type Note = { id: string; contactId: string; text: string }

/** Tells the staff that a note names, such as @Grace, @Grace Hopper or @grace@example.com. An edited note tells only those who are new in it. */
export async function notifyMentioned(trx: Trx, { id, contactId, text }: Note, authorId: string): Promise<void> {
  if (!text.includes('@')) return
  const accounts = await currentAccounts(trx).select(['id', 'email', 'userMetadata']).where('role', 'in', ['staff', 'owner']).execute()
  const staff = accounts.map(({ id: userId, email, userMetadata }) => ({ userId, email, name: nameOf(userMetadata) }))
  const mentioned = staff.filter((person) => person.userId !== authorId && isNamed(text, person, staff))
  if (mentioned.length === 0) return
  const { name, reference } = await leadOf(trx, contactId)
  for (const { userId } of mentioned) {
    await notify(trx, {
      kind: 'mention',
      title: `You were mentioned on the lead of ${name}`.slice(0, 200),
      body: shortened(text, 300),
      link: `/leads/${reference}`,
      subjectId: contactId,
      dedupeKey: `mention:${id}:${userId}`,
      to: { userIds: [userId] },
    })
  }
}

type Named = { userId: string; email: string | null; name: string | null }

/** A first name that two people share names neither of them. */
function isNamed(text: string, { userId, email, name }: Named, staff: readonly Named[]): boolean {
  const first = firstOf(name)
  const isUnique = first !== undefined && !staff.some((other) => other.userId !== userId && firstOf(other.name) === first)
  return [name, email, isUnique ? first : null].some((handle) => Boolean(handle) && mentions(text, handle ?? ''))
}

function firstOf(name: string | null): string | undefined {
  return name?.split(' ')[0]?.toLowerCase() || undefined
}

/** After a blank or at the beginning, and not the beginning of a longer name. */
function mentions(text: string, handle: string): boolean {
  const [lower, wanted] = [text.toLowerCase(), `@${handle.toLowerCase()}`]
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
    const [before, after] = [lower.charAt(at - 1), lower.charAt(at + wanted.length)]
    if (!/[\p{L}\p{N}@]/u.test(before) && !/[\p{L}\p{N}@]/u.test(after)) return true
  }
  return false
}

async function leadOf(trx: Trx, contactId: string): Promise<{ name: string; reference: string }> {
  return trx.selectFrom('contacts').select(['name', 'reference']).where('id', '=', contactId).executeTakeFirstOrThrow()
}
