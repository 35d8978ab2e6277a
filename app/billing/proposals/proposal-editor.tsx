import { ArrowDownIcon, ArrowUpIcon, XIcon } from 'lucide-react'
import { useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { currencies } from '#app/platform/text/written-form.ts'
import { ActionButton, QuestionButton } from '#app/ui/admin/action-button.tsx'
import { ConflictDialog, differencesIn } from '#app/ui/admin/comparison-dialog.tsx'
import { RowButton } from '#app/ui/admin/data-table.tsx'
import { Form } from '#app/ui/admin/form.tsx'
import { TextField } from '#app/ui/admin/text-field.tsx'
import { useRemoval } from '#app/ui/admin/undo.tsx'
import { useEditForm } from '#app/ui/admin/use-edit-form.ts'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Card } from '#app/ui/card.tsx'
import { Field, FieldError } from '#app/ui/field.tsx'
import { Input, Select, Textarea } from '#app/ui/input.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { Switch } from '#app/ui/switch.tsx'
import {
  assignErrors,
  checkProposal,
  describeFields,
  fieldsOf,
  type LineFields,
  newLine,
  placeOf,
  type ProposalFields,
  sumText,
} from './proposal-fields.ts'
import { type Proposal, proposal, type ProposalOffer, proposalLimits } from './proposal.ts'

/** The queries that a change of a proposal invalidates. */
export const PROPOSAL_DATA = ['/api/leads', '/api/proposals']

type Edit = ReturnType<typeof useProposalForm>

function useProposalForm(draft: Proposal) {
  return useEditForm<Proposal, ProposalFields>({
    noun: 'Proposal',
    url: '/api/proposals',
    row: draft,
    schema: proposal,
    begin: () => ({ fields: fieldsOf(draft), slugFollows: false }),
    editOf: (row) => ({ fields: fieldsOf(row), slugFollows: false }),
    apply: (edit, change) => ({ ...edit, fields: { ...edit.fields, ...change } }),
    check: checkProposal,
    assign: assignErrors,
    touches: PROPOSAL_DATA,
    done: () => ({ title: 'Draft saved' }),
    failed: 'Draft not saved',
    onSaved: (row, begin) => begin(row),
  })
}

type EditorProps = { draft: Proposal; offers: readonly ProposalOffer[]; email: string }

/** A draft: saved by hand, previewed as the client will see it, then sent. */
export function ProposalEditor({ draft, offers, email }: EditorProps) {
  const form = useProposalForm(draft)
  return (
    <Form form={form} placeOf={placeOf} className="grid grid-cols-1 gap-4">
      <TextCard form={form} />
      <LinesCard form={form} offers={offers} />
      <ConditionsCard form={form} />
      <Actions form={form} draft={draft} email={email} />
      <ConflictDialog
        form={form}
        noun="proposal"
        differencesTo={(newer) => ({ differences: differencesIn(describeFields(form.fields), describeFields(fieldsOf(newer))) })}
      />
    </Form>
  )
}

function textsOf({ fields: { lines: _l, isNonRefundable: _n, ...fields }, errors, change }: Edit) {
  return { fields, errors, change }
}

function TextCard({ form }: { form: Edit }) {
  const texts = textsOf(form)
  return (
    <Card className="grid gap-4">
      <TextField
        form={texts}
        name="title"
        label="Title"
        most={proposalLimits.title}
        isFirst
        hint="The subject of the email, and the heading of the page."
      />
      <TextField form={texts} name="intro" label="Introduction" optional long className="min-h-20!" most={proposalLimits.intro} />
    </Card>
  )
}

function LinesCard({ form, offers }: { form: Edit; offers: readonly ProposalOffer[] }) {
  const { fields, errors, change } = form
  const { lines, currency } = fields
  const [added, setAdded] = useState<string>()
  const set = (at: number, line: Partial<LineFields>) => {
    const before = lines[at]
    if (before) change({ lines: lines.with(at, { ...before, ...line }) })
  }
  const add = (offer?: ProposalOffer) => {
    const line = newLine()
    const unit = offer && { title: offer.title, detail: offer.detail, price: String(offer.unitAmount / 100) }
    change({ lines: [...lines, { ...line, ...unit }] })
    setAdded(line.id)
  }
  const remove = useRemoval(lines, (kept) => change({ lines: kept }))
  const isFull = lines.length >= proposalLimits.lines
  return (
    <Card as="section" aria-labelledby="lines" className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h2 id="lines" className="text-h3">
          Lines
        </h2>
        <div className="w-44">
          <Field label="Currency" name="currency" tool error={errors['currency']}>
            <Select value={currency} onChange={({ target }) => change({ currency: target.value })}>
              {Object.keys(currencies).map((code) => (
                <option key={code}>{code}</option>
              ))}
            </Select>
          </Field>
        </div>
      </div>
      {lines.map((line, at) => (
        <LineCard
          key={line.id}
          line={line}
          currency={currency}
          isAdded={line.id === added}
          at={at}
          count={lines.length}
          errors={errors}
          set={(given) => set(at, given)}
          move={(to) => change({ lines: moved(lines, at, to) })}
          remove={() => remove(at, `Line ${at + 1} removed`)}
        />
      ))}
      {errors['lines'] && <FieldError name="lines">{errors['lines']}</FieldError>}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="button" look="quiet" onClick={() => add()} {...(isFull && { unavailable: `At most ${proposalLimits.lines} lines.` })}>
          Add a line
        </Button>
        {!isFull &&
          offers.map((offer) => (
            <Button key={offer.id} type="button" look="quiet" size="small" onClick={() => add(offer)}>
              + {offer.title}
            </Button>
          ))}
      </div>
      <WholeDiscount form={form} />
      <p className="flex flex-wrap justify-between gap-3 border-t border-line pt-3 font-semibold">
        <span>Total before tax, with the options that are chosen</span>
        <span className="font-mono">{sumText(fields)}</span>
      </p>
    </Card>
  )
}

function WholeDiscount({ form: { fields, errors, change } }: { form: Edit }) {
  const { discount, discountKind, currency } = fields
  return (
    <div className="grid items-start gap-3 border-t border-line pt-3 sm:grid-cols-3">
      <Field label="Discount on the whole" name="discount" optional error={errors['discount']}>
        <Input inputMode="decimal" autoComplete="off" value={discount} onChange={({ target }) => change({ discount: target.value })} />
      </Field>
      <Field label="The discount is" name="discountKind">
        <Select value={discountKind} onChange={({ target }) => change({ discountKind: target.value === 'amount' ? 'amount' : 'percent' })}>
          <option value="percent">In percent</option>
          <option value="amount">An amount in {currency}</option>
        </Select>
      </Field>
    </div>
  )
}

function moved(lines: readonly LineFields[], at: number, to: number): LineFields[] {
  const line = lines[at]
  return line ? lines.toSpliced(at, 1).toSpliced(to, 0, line) : [...lines]
}

type LineProps = {
  line: LineFields
  currency: string
  /** Added just now: it gets the focus. */
  isAdded: boolean
  at: number
  count: number
  errors: Edit['errors']
  set: (line: Partial<LineFields>) => void
  move: (to: number) => void
  remove: () => void
}

function LineCard({ line, currency, isAdded, at, count, errors, set, move, remove }: LineProps) {
  const name = (field: string) => `lines.${at}.${field}`
  const field = (key: 'title' | 'quantity' | 'price' | 'discount' | 'least' | 'most', label: string, optional = false) => (
    <Field label={label} name={name(key)} optional={optional} error={errors[name(key)]}>
      <Input
        autoComplete="off"
        value={line[key]}
        onChange={({ target }) => set({ [key]: target.value })}
        {...(key === 'title' ? { most: proposalLimits.title, autoFocus: isAdded } : { inputMode: 'decimal' as const })}
      />
    </Field>
  )
  return (
    <fieldset className="grid gap-3 rounded-card border border-line p-4">
      <legend className="sr-only">Line {at + 1}</legend>
      <div className="flex flex-wrap items-start gap-x-3">
        <div className="min-w-0 grow basis-full sm:basis-0">{field('title', `Line ${at + 1}`)}</div>
        <span className="ml-auto flex sm:pt-7">
          <RowButton label={`Move line ${at + 1} up`} onClick={() => move(at - 1)} disabled={at === 0}>
            <ArrowUpIcon aria-hidden="true" />
          </RowButton>
          <RowButton label={`Move line ${at + 1} down`} onClick={() => move(at + 1)} disabled={at === count - 1}>
            <ArrowDownIcon aria-hidden="true" />
          </RowButton>
          <RowButton label={`Remove line ${at + 1}`} onClick={remove} disabled={count === 1}>
            <XIcon aria-hidden="true" />
          </RowButton>
        </span>
      </div>
      <Field label="Detail" name={name('detail')} optional error={errors[name('detail')]}>
        <Textarea
          rows={2}
          className="min-h-16!"
          value={line.detail}
          most={proposalLimits.detail}
          onChange={({ target }) => set({ detail: target.value })}
        />
      </Field>
      <div className="grid gap-3 sm:grid-cols-3">
        {field('quantity', 'Quantity')}
        {field('price', `Price before tax, ${currency}`)}
        {field('discount', 'Discount in percent', true)}
      </div>
      <div className="flex flex-wrap gap-x-6">
        <Switch label="Optional" checked={line.isOptional} onChange={(isOptional) => set({ isOptional })} />
        {line.isOptional && <Switch label="Chosen at first" checked={line.isChosen} onChange={(isChosen) => set({ isChosen })} />}
        <Switch label="The client may change the quantity" checked={line.hasRange} onChange={(hasRange) => set({ hasRange })} />
      </div>
      {line.hasRange && (
        <div className="grid gap-3 sm:grid-cols-3">
          {field('least', 'Least')}
          {field('most', 'Most')}
        </div>
      )}
    </fieldset>
  )
}

function ConditionsCard({ form }: { form: Edit }) {
  const { fields, errors, change } = form
  const texts = textsOf(form)
  const day = (name: 'startsOn' | 'deliversOn' | 'validUntil', label: string, hint?: string) => (
    <Field label={label} name={name} optional={name !== 'validUntil'} error={errors[name]} hint={hint}>
      <Input type="date" value={fields[name]} onChange={({ target }) => change({ [name]: target.value })} />
    </Field>
  )
  return (
    <Card as="section" aria-labelledby="conditions" className="grid gap-4">
      <h2 id="conditions" className="text-h3">
        Dates, deposit and terms
      </h2>
      <div className="grid gap-4 sm:grid-cols-3">
        {day('startsOn', 'Work begins')}
        {day('deliversOn', 'Delivery')}
        {day('validUntil', 'Valid until')}
      </div>
      <TextField form={texts} name="needs" label="Needed from the client" optional long className="min-h-20!" most={proposalLimits.needs} />
      <div className="grid items-end gap-4 sm:grid-cols-3">
        <TextField form={texts} name="deposit" label="Deposit in percent" inputMode="decimal" />
        <Switch
          label="Not refundable unless agreed otherwise"
          checked={fields.isNonRefundable}
          onChange={(isNonRefundable) => change({ isNonRefundable })}
        />
      </div>
      <TextField form={texts} name="terms" label="Terms" long most={proposalLimits.terms} />
      <TextField
        form={texts}
        name="termsVersion"
        label="Version of the terms"
        className="max-w-60"
        most={40}
        hint="Change it when you change the terms for this client."
      />
    </Card>
  )
}

function Actions({ form, draft: { id, url, number }, email }: { form: Edit; draft: Proposal; email: string }) {
  const unavailable = form.isChanged ? 'Save your changes first.' : email ? undefined : 'This lead has no email address.'
  const preview = new URL(url).pathname
  return (
    <div data-action-bar className="flex flex-wrap items-center justify-end gap-3 border-t border-line bg-paper py-3 sm:sticky sm:bottom-0">
      <p role="status" className="grow text-small text-muted">
        {form.isChanged && 'Not saved yet'}
      </p>
      <QuestionButton
        label="Discard draft"
        question={number === 1 ? 'Discard this draft?' : `Discard version ${number}?`}
        confirm="Discard"
        action={{
          send: async () => apiRequest('DELETE', `/api/proposals/${id}`),
          done: 'Draft discarded',
          failed: 'Draft not discarded',
          touches: PROPOSAL_DATA,
        }}
      >
        It is deleted. What was sent before stays.
      </QuestionButton>
      <a href={preview} target="_blank" rel="noreferrer" className={buttonLook('quiet')}>
        Preview
      </a>
      <SubmitButton look="quiet">Save draft</SubmitButton>
      <ActionButton
        look="primary"
        {...(unavailable && { unavailable })}
        pending="Sending..."
        action={{
          send: async () => apiRequest('POST', `/api/proposals/${id}/send`),
          done: `Proposal sent to ${email}`,
          failed: 'Proposal not sent',
          touches: PROPOSAL_DATA,
          onRefused: (error) => form.refusedBy(error),
        }}
      >
        Send by email
      </ActionButton>
    </div>
  )
}
