import { useState } from 'react'
import { useAdminAction } from '#app/ui/admin/use-admin-action.tsx'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { type Entitlement, ENTITLEMENTS } from '#app/datasets/access/entitlement.ts'
import { productAddresses } from './product-responses.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { Cell, HeadCell, TableRow, Table } from '#app/ui/table.tsx'

/** All grants of the product, past ones included, newest first. */
export function GrantTable({ grants, product }: { grants: readonly Entitlement[]; product: StaffProduct }) {
  const [now] = useState(() => Date.now())
  return (
    <Table caption="Grants">
      <thead>
        <tr>
          <HeadCell>Customer</HeadCell>
          <HeadCell>State</HeadCell>
          <HeadCell>Since</HeadCell>
          <HeadCell>Until</HeadCell>
          <HeadCell>Reason</HeadCell>
          <HeadCell>
            <span className="sr-only">Revoke</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {grants.map((grant) => (
          <Grant key={grant.id} grant={grant} now={now} product={product} />
        ))}
      </tbody>
    </Table>
  )
}

function Grant({ grant, now, product }: { grant: Entitlement; now: number; product: StaffProduct }) {
  const { email, note, paymentReference, createdAt, expiresAt, revokedAt } = grant
  const isLive = !revokedAt && (!expiresAt || Date.parse(expiresAt) > now)
  return (
    <TableRow>
      <Cell className="min-w-40 font-semibold wrap-anywhere">{email ?? 'Deleted account'}</Cell>
      <Cell>
        {isLive ? (
          <Badge look="leaf" dot>
            Live
          </Badge>
        ) : (
          <Badge>{revokedAt ? 'Revoked' : 'Expired'}</Badge>
        )}
      </Cell>
      <Cell kind="data">{formatDay(createdAt)}</Cell>
      <Cell kind="data">{revokedAt ? formatDay(revokedAt) : expiresAt ? formatDay(expiresAt) : 'Never'}</Cell>
      <Cell className="min-w-40">
        {paymentReference && <span className="block font-mono text-fine wrap-anywhere">{paymentReference}</span>}
        {note && <span className="block text-muted whitespace-pre-line wrap-anywhere">{note}</span>}
      </Cell>
      <Cell>{isLive && <Revoke grant={grant} product={product} />}</Cell>
    </TableRow>
  )
}

function Revoke({ grant: { id, email }, product }: { grant: Entitlement; product: StaffProduct }) {
  const [asking, setAsking] = useState(false)
  const name = email ?? 'this account'
  const revoke = useAdminAction({
    method: 'DELETE',
    url: `${ENTITLEMENTS}/${encodeURIComponent(id)}`,
    done: 'Access revoked, customer notified',
    failed: 'Not revoked',
    onDone: () => setAsking(false),
    touches: productAddresses,
  })
  return (
    <>
      <Button type="button" look="quiet" size="small" aria-label={`Revoke access from ${name}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => revoke.mutate()}
        title={`Revoke access to ${product.name}?`}
        confirm={revoke.isPending ? 'Revoking...' : 'Revoke'}
        busy={revoke.isPending}
      >
        <p className="wrap-anywhere">
          {name} loses access immediately: files, links and API. Files they already downloaded are not affected.
        </p>
      </ConfirmDialog>
    </>
  )
}
