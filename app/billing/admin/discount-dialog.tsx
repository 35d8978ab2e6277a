import { useState } from 'react'
import { useProducts } from '#app/datasets/admin/use-products.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { currencies, writtenForm } from '#app/platform/text/written-form.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { amountIn, wholeIn } from './amount-field.ts'
import { discountBody, DISCOUNTS } from './discount.ts'

/** A percentage has two decimal places at most. */
const SHARE_DIGITS = 2

export function DiscountDialog({ close }: { close: () => void }) {
  const [kind, setKind] = useState('percent')
  const isAmount = kind === 'amount'
  const form = useDiscountForm(isAmount, close)
  return (
    <FormDialog form={form} onClose={close} title="New discount code" submit="Create code" pending="Creating...">
      <Field label="Code" name="code" hint="3 to 30 letters, digits and hyphens. Customers enter it when they order.">
        <Input autoComplete="off" autoCapitalize="characters" />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Takes off" name="kind">
          <Select value={kind} onChange={({ target }) => setKind(target.value)}>
            <option value="percent">A percentage</option>
            <option value="amount">An amount</option>
          </Select>
        </Field>
        <Field label={isAmount ? 'Amount, before tax' : 'Percent'} name="value">
          <Input inputMode="decimal" autoComplete="off" />
        </Field>
      </div>
      {isAmount && (
        <Field label="Currency" name="currency" hint="The code works for prices in this currency.">
          <Select defaultValue={writtenForm().currency}>
            {Object.entries(currencies).map(([code, name]) => (
              <option key={code} value={code}>
                {code}: {name}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Limits />
    </FormDialog>
  )
}

function useDiscountForm(isAmount: boolean, close: () => void) {
  return useForm({
    schema: discountBody,
    read: ({ code, value = '', currency = '', productId, mostUses, lastDay }) => ({
      code,
      share: isAmount ? null : wholeIn(value, SHARE_DIGITS),
      amount: isAmount ? amountIn(value, currency) : null,
      currency: isAmount ? currency : null,
      productId: productId || null,
      mostUses: mostUses ? Number(mostUses) : null,
      lastDay: lastDay || null,
    }),
    assign: ({ share, amount, ...errors }) => ({ ...errors, ...((share ?? amount) && { value: share ?? amount ?? '' }) }),
    send: async (body) => apiRequest('POST', DISCOUNTS, body),
    done: (_answer, { code }) => `${code} created`,
    failed: 'Code not created',
    touches: [DISCOUNTS],
    onDone: close,
  })
}

/** The conditions of a discount code. */
function Limits() {
  const products = useProducts().data?.filter(({ price }) => price > 0) ?? []
  return (
    <>
      <Field label="Dataset" name="productId" optional>
        <Select>
          <option value="">All datasets</option>
          {products.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Uses" name="mostUses" optional hint="By all organizations together. Empty: without a limit.">
          <Input inputMode="numeric" autoComplete="off" />
        </Field>
        <Field label="Last day" name="lastDay" optional hint="Empty: until it is archived.">
          <Input type="date" />
        </Field>
      </div>
    </>
  )
}
