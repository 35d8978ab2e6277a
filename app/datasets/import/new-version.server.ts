import { currentAccounts } from '#app/auth/users/account.server.ts'
import { notify } from '#app/account/notifications/notification.server.ts'
import { type Trx } from '#app/platform/database/db.server.ts'
import { daysAgo, now } from '#app/platform/database/sql.server.ts'
import type { Row } from '#db/tables.ts'

/** A key that has read the dataset within this time counts as a reader. */
const READER_DAYS = 30
/** One job tells this many people at most. */
const TOLD_TOGETHER = 1_000

/** Tells everyone who may read the dataset now, and who was granted it, has downloaded it, or reads it with a key. */
export async function tellReaders(
  trx: Trx,
  product: Row<'dataProducts'>,
  version: Row<'datasetVersions'>,
  publisher: string,
): Promise<void> {
  const readers = await listReaders(trx, product, publisher)
  const isBuyer = ({ role }: { role: string | null }) => role !== 'staff' && !product.isFree
  const [buyers, others] = [readers.filter(isBuyer), readers.filter((reader) => !isBuyer(reader))]
  for (const [kind, people] of [['paid_dataset_version', buyers] as const, ['dataset_version', others] as const]) {
    for (let at = 0; at < people.length; at += TOLD_TOGETHER) {
      await notify(trx, {
        kind,
        title: `New version of ${product.name}`.slice(0, 200),
        body: version.changes.slice(0, 300) || `Version ${version.number}`,
        link: `/data-marketplace/${product.slug}`,
        subjectId: version.id,
        dedupeKey: `${kind}:${version.id}:${at}`,
        to: { userIds: people.slice(at, at + TOLD_TOGETHER).map(({ id }) => id) },
      })
    }
  }
}

async function listReaders(trx: Trx, { id, isFree }: Row<'dataProducts'>, publisher: string) {
  return currentAccounts(trx)
    .select(['accounts.id', 'role'])
    .where('emailConfirmedAt', 'is not', null)
    .where('accounts.id', '!=', publisher)
    .where((eb) => eb.or([eb('bannedUntil', 'is', null), eb('bannedUntil', '<=', now)]))
    .where((eb) => {
      const granted = eb.exists(
        eb
          .selectFrom('entitlements')
          .select('entitlements.id')
          .innerJoin('organizationMembers as member', 'member.organizationId', 'entitlements.organizationId')
          .whereRef('member.userId', '=', 'accounts.id')
          .where('productId', '=', id)
          .where('revokedAt', 'is', null)
          .where('suspendedAt', 'is', null)
          .where((of) => of.or([of('versionsUntil', 'is', null), of('versionsUntil', '>', now)]))
          .where((of) => of.or([of('expiresAt', 'is', null), of('expiresAt', '>', now)])),
      )
      const downloaded = eb.exists(
        eb
          .selectFrom('downloads')
          .select('downloads.id')
          .whereRef('downloads.userId', '=', 'accounts.id')
          .where('productId', '=', id)
          .where('type', '=', 'file'),
      )
      const readByKey = eb.exists(
        eb
          .selectFrom('apiKeyReads')
          .innerJoin('apiKeys', 'apiKeys.id', 'apiKeyReads.keyId')
          .select('apiKeyReads.keyId')
          .whereRef('apiKeys.userId', '=', 'accounts.id')
          .where('apiKeyReads.productId', '=', id)
          .where('readAt', '>', daysAgo(READER_DAYS)),
      )
      const entitled = isFree ? [] : [eb.or([granted, eb('role', '!=', 'customer')])]
      return eb.and([...entitled, eb.or([granted, downloaded, readByKey])])
    })
    .orderBy('accounts.id')
    .execute()
}
