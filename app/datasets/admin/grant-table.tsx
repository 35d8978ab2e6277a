import { useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { type Entitlement, ENTITLEMENTS } from '#app/datasets/access/entitlement.ts'
import { productAddresses } from './product-urls.ts'
import { Badge } from '#app/ui/badge.tsx'
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
  const { organization, email, note, paymentReference, createdAt, expiresAt, revokedAt } = grant
  const isLive = !revokedAt && (!expiresAt || Date.parse(expiresAt) > now)
  return (
    <TableRow>
      <Cell className="min-w-40 font-semibold wrap-anywhere">
        {organization?.name ?? email ?? 'Deleted account'}
        {organization && email && <span className="block font-normal text-muted">{email}</span>}
      </Cell>
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

function Revoke({ grant: { id, organization, email }, product }: { grant: Entitlement; product: StaffProduct }) {
  const name = organization?.name ?? email ?? 'this account'
  const action = {
    send: async () => apiRequest('DELETE', `${ENTITLEMENTS}/${encodeURIComponent(id)}`),
    done: 'Access revoked, customer notified',
    failed: 'Not revoked',
    touches: productAddresses,
  }
  return (
    <QuestionButton
      action={action}
      size="small"
      aria-label={`Revoke access from ${name}`}
      label="Revoke"
      question={`Revoke access to ${product.name}?`}
      confirm="Revoke"
      pending="Revoking..."
    >
      <p className="wrap-anywhere">
        {name} loses access immediately: files, links and API. Files they already downloaded are not affected.
      </p>
    </QuestionButton>
  )
}
