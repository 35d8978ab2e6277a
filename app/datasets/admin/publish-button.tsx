import { useState } from 'react'
import { useAdminAction } from '#app/ui/admin/use-admin-action.tsx'
import { refusedFields } from '#app/ui/admin/use-edit-form.ts'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import type { Finding, StaffVersion } from '#app/datasets/catalog/version.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Textarea } from '#app/ui/input.tsx'
import { versionsUrl } from './product-urls.ts'
import { productAddresses } from './product-responses.ts'
import { Findings } from './findings.tsx'

/** Publishes a version: directly if it passes the quality checks, else after a dialog that shows the failures and asks for a reason. */
export function PublishButton({ product, version }: { product: StaffProduct; version: StaffVersion }) {
  const [asking, setAsking] = useState(false)
  const [error, setError] = useState<string>()
  const { number } = version
  const broken = brokenOf(version)
  const publish = useAdminAction<{ force: boolean; reason?: string }>({
    method: 'POST',
    url: `${versionsUrl(product.id)}/${number}/publish`,
    body: (given) => given,
    done: `Version ${number} is published`,
    failed: `Version ${number} is not published`,
    onDone: () => setAsking(false),
    touches: productAddresses,
  })
  const press = () => (broken.length > 0 ? setAsking(true) : publish.mutate({ force: false }))
  const override = ({ reason = '' }: Record<string, string>) =>
    publish.mutate({ force: true, reason }, { onError: (refusal) => setError(refusedFields(refusal)['reason']) })
  return (
    <>
      <Button type="button" size="small" aria-label={`Publish version ${number}`} busy={publish.isPending} onClick={press}>
        {publish.isPending ? 'Publishing...' : 'Publish'}
      </Button>
      {asking && (
        <FormDialog
          onClose={() => setAsking(false)}
          onSubmit={override}
          title={`Version ${number} does not pass the quality checks`}
          submit={publish.isPending ? 'Publishing...' : 'Publish anyway'}
          look="danger"
          busy={publish.isPending}
        >
          <Findings findings={broken} label="Failed checks" />
          <p className="text-muted">Customers get this version as it is.</p>
          <Field
            label="Reason"
            name="reason"
            error={error}
            hint="Why you publish it anyway. Recorded here and in the audit log, for staff only."
          >
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
