import { apiRequest } from '#app/platform/browser/api.ts'
import { priceInWords } from '#app/datasets/catalog/price.ts'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { entitlementLimits, grantBody, type ProductRequest } from '#app/datasets/access/entitlement.ts'
import { OrganizationField } from '#app/organizations/admin/organization-field.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Field } from '#app/ui/field.tsx'
import { Input, Textarea } from '#app/ui/input.tsx'
import { productAddresses, entitlementsUrl } from './product-urls.ts'

type GrantDialogProps = {
  product: StaffProduct
  /** Without a request, the dialog asks for an email address. */
  request?: ProductRequest
  close: () => void
}

/** Grants the product, with or without an end, and records the grounds. The customer gets an email. */
export function GrantDialog({ product, request, close }: GrantDialogProps) {
  const name = request?.organization?.name ?? request?.email ?? 'They'
  const form = useForm({
    schema: grantBody,
    read: ({ email, note, paymentReference, until = '' }) => ({
      ...(request ? { requestId: request.id } : receiverOf(email)),
      note,
      paymentReference,
      expiresAt: endOfDay(until),
    }),
    send: async (body) => apiRequest('POST', entitlementsUrl(product.id), body),
    assign: ({ expiresAt, organization, ...errors }) => ({
      ...errors,
      ...(organization && { email: organization }),
      ...(expiresAt && { until: expiresAt }),
    }),
    done: request ? `Access granted, ${name} notified` : 'Access granted, customer notified',
    failed: 'Not granted',
    touches: productAddresses,
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title={`Grant ${product.name}`} submit="Grant" pending="Granting...">
      <p className="text-muted">
        {name} can download its files and read it through the API ({priceInWords(product.price)}). This replaces an earlier grant.
      </p>
      {!request && (
        <OrganizationField
          label="Organization or account"
          name="email"
          hint="Type the name or reference of an organization and choose it, or enter the email address of a person alone."
        />
      )}
      <Field
        label="Reference of the bank transfer"
        name="paymentReference"
        optional

        hint="As on the bank statement. The same reference does not grant twice."
      >
        <Input autoComplete="off" most={entitlementLimits.paymentReference} className="font-mono" />
      </Field>
      <Field label="Until" name="until" optional hint="The last day of access. Leave empty for no end.">
        <Input type="date" />
      </Field>
      <Field label="Note" name="note" optional hint="Visible to staff only.">
        <Textarea className="min-h-20" most={entitlementLimits.note} />
      </Field>
    </FormDialog>
  )
}

/** A reference names an organization; anything else is an address. */
function receiverOf(given = '') {
  const text = given.trim()
  return /^O-/i.test(text) ? { organization: text } : { email: text }
}

/** The last moment of a day (`2026-12-31`) in local time, as ISO 8601; null for an empty one. */
function endOfDay(day: string): string | null {
  const moment = new Date(`${day}T23:59:59.999`)
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}
