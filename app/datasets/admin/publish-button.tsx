import { useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { publishing } from '#app/datasets/catalog/version-change.ts'
import type { Finding, StaffVersion } from '#app/datasets/catalog/version.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Textarea } from '#app/ui/input.tsx'
import { versionsUrl, productAddresses } from './product-urls.ts'
import { Findings } from './findings.tsx'

/** Publishes a version: directly if it passes the quality checks, else after a dialog that shows the failures and asks for a reason. */
export function PublishButton({ product, version }: { product: StaffProduct; version: StaffVersion }) {
  const [asking, setAsking] = useState(false)
  const { number } = version
  const broken = brokenOf(version)
  const publish = {
    send: async (body: { force: boolean; reason?: string }) => apiRequest('POST', `${versionsUrl(product.id)}/${number}/publish`, body),
    done: `Version ${number} is published`,
    failed: `Version ${number} is not published`,
    touches: productAddresses,
  }
  const form = useForm({
    ...publish,
    schema: publishing,
    read: ({ reason }) => ({ force: true, reason }),
    onDone: () => setAsking(false),
  })
  const look = { size: 'small', 'aria-label': `Publish version ${number}` } as const
  if (broken.length === 0) {
    return (
      <ActionButton
        {...look}
        look="primary"
        action={{ ...publish, send: async () => publish.send({ force: false }) }}
        pending="Publishing..."
      >
        Publish
      </ActionButton>
    )
  }
  return (
    <>
      <Button {...look} type="button" onClick={() => setAsking(true)}>
        Publish
      </Button>
      {asking && (
        <FormDialog
          form={form}
          onClose={() => setAsking(false)}
          title={`Version ${number} does not pass the quality checks`}
          submit="Publish anyway"
          pending="Publishing..."
          look="danger"
        >
          <Findings findings={broken} label="Failed checks" />
          <p className="text-muted">Customers get this version as it is.</p>
          <Field label="Reason" name="reason" hint="Why you publish it anyway. Recorded here and in the audit log, for staff only.">
            <Textarea className="min-h-20" />
          </Field>
        </FormDialog>
      )}
    </>
  )
}

/** The checks that hold a version which could be published. */
export function brokenOf({ state, findings }: StaffVersion): Finding[] {
  return state === 'ready' ? findings.filter(({ ok }) => !ok) : []
}
