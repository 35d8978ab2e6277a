import { formatMoment } from '#app/ui/moment.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { differences, productFields, type ProductFields } from './product-fields.ts'
import type { ProductFormState } from './use-product-form.tsx'

/** Someone else saved the product meanwhile, and the server refused to overwrite it. */
export function ProductConflictDialog({ form }: { form: ProductFormState }) {
  const newer = form.conflict
  if (!newer) return null
  const theirs = productFields(newer)
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={form.leaveConflict}>
        Continue editing
      </Button>
      <Button type="button" look="quiet" onClick={() => form.settle(newer, 'theirs')}>
        Use their version
      </Button>
      <Button type="button" onClick={() => form.settle(newer, 'mine')}>
        Overwrite with mine
      </Button>
    </>
  )
  return (
    <Dialog open wide onClose={form.leaveConflict} title="Someone else has saved this product" actions={actions}>
      <div className="grid gap-5">
        <p className="text-muted">
          Version {newer.version} of what is written here was saved after you had begun, on {formatMoment(newer.updatedAt)}.
        </p>
        {differences(form.fields, theirs).map((name) => (
          <section key={name} aria-label={labels[name] ?? name} className="grid gap-2">
            <h3 className="font-sans text-small font-semibold tracking-normal">{labels[name] ?? name}</h3>
            <div className="grid gap-3 sm:grid-cols-2">
              <Side label="Yours" fields={form.fields} name={name} />
              <Side label="Theirs" fields={theirs} name={name} />
            </div>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

function Side({ label, fields, name }: { label: string; fields: ProductFields; name: string }) {
  const value: unknown = Reflect.get(fields, name)
  return (
    <div className="grid content-start gap-1">
      <p className="eyebrow">{label}</p>
      <p className="max-h-40 overflow-y-auto rounded-control bg-sunken p-3 font-mono text-fine whitespace-pre-wrap wrap-anywhere">
        {(typeof value === 'string' ? value : JSON.stringify(value, null, 1)) || '(nothing)'}
      </p>
    </div>
  )
}

const labels: Record<string, string> = {
  name: 'Name',
  slug: 'Slug',
  description: 'Description',
  about: 'About the data',
  category: 'Category',
  price: 'Price in dollars',
  hasFile: 'File download',
  hasApi: 'API access',
  hidden: 'Hidden',
  source: 'Source',
  licence: 'Licence',
  licenceUrl: 'License URL',
  lawfulBasis: 'Lawful basis',
  updateFrequency: 'Updated',
  columnDescriptions: 'Descriptions of columns',
  maskedColumns: 'Personal columns',
  gate: 'Gate',
}
