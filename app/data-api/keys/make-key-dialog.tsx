import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import { keyBody, KEYS, type MadeKey, madeKey } from './api-key.ts'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { dataProduct } from '#app/datasets/catalog/product.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Input, Select } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'

const ends = [
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 365, label: 'A year' },
]

type MakeKeyProps = { close: () => void; done: (made: MadeKey) => void; /** Of a service key, that of its organization. */ url?: string }

export function MakeKeyDialog({ close, done, url = KEYS }: MakeKeyProps) {
  const [isLimited, setLimited] = useState(false)
  const form = useForm({
    schema: keyBody,
    read: ({ name, expiresInDays, opens }, given) => ({
      name,
      expiresInDays: expiresInDays ? Number(expiresInDays) : null,
      productIds: opens === 'some' ? given.getAll('productIds') : null,
    }),
    send: async (body) => madeKey.parse(await (await apiRequest('POST', url, body)).json()),
    // The choice of datasets shows what is wrong with them.
    assign: ({ productIds, ...errors }) => ({ ...errors, ...(productIds && { opens: productIds }) }),
    failed: 'Key not created',
    touches: [KEYS, url],
    onDone: done,
  })
  return (
    <FormDialog
      form={form}
      onClose={close}
      title={url === KEYS ? 'Create API key' : 'Create service key'}
      submit="Create key"
      pending="Creating..."
    >
      <Field label="Name" name="name" hint="The program that uses it, such as Nightly import.">
        <Input autoComplete="off" most={60} />
      </Field>
      <Field label="Expires after" name="expiresInDays">
        <Select defaultValue="365">
          {ends.map(({ days, label }) => (
            <option key={days} value={days}>
              {label}
            </option>
          ))}
          <option value="">Never</option>
        </Select>
      </Field>
      <Field label="Access" name="opens">
        <Select defaultValue="all" onChange={(event) => setLimited(event.target.value === 'some')}>
          <option value="all">{url === KEYS ? 'All datasets I have access to' : 'All datasets of the organization'}</option>
          <option value="some">Only some datasets</option>
        </Select>
      </Field>
      {isLimited && <Datasets />}
    </FormDialog>
  )
}

function Datasets() {
  const products = useQuery(apiQuery(PRODUCTS, z.array(dataProduct)))
  if (products.isPending) return <Loading>Loading datasets...</Loading>
  if (products.isError) return <Failed error={products.error} retry={products.refetch} />
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-small font-semibold">Datasets</legend>
      {products.data
        .filter(({ apiEndpoint }) => apiEndpoint)
        .map(({ id, name }) => (
          <label key={id} className="flex min-h-11 items-center gap-3 text-small">
            <input type="checkbox" name="productIds" value={id} className="size-5 accent-ink" />
            {name}
          </label>
        ))}
    </fieldset>
  )
}
