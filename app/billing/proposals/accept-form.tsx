import { proposalPageTexts as words } from '#app/content/proposals.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Select, Textarea } from '#app/ui/input.tsx'
import { Refusal } from '#app/ui/refusal.tsx'
import { Consent } from '#app/billing/buying/consent.tsx'
import { Sums } from './proposal-sums.tsx'
import { proposalLimits } from './proposal.ts'
import { isOfAccepting, type Shown, type ShownProposal } from './shown-proposal.ts'

const { accept } = words

type FormProps = { proposal: ShownProposal; shown: Shown | undefined }

/** The buyer and the signer; then, once a code was sent, the sum and the signature. Everything is one form, so it works without script. */
export function AcceptForm({ proposal, shown }: FormProps) {
  const { token, signer } = proposal
  return (
    <Card as="section" aria-labelledby="accept-title" pad="roomy" className="grid grid-cols-1 gap-4">
      <h2 id="accept-title" className="text-h3">
        {accept.title}
      </h2>
      <p>{accept.intro}</p>
      {/* Without an anchor in its address: with one, the browser leaves the focus where the page begins. */}
      <form id="accept" method="post" action={`/proposal/${token}`} noValidate className="grid scroll-mt-24 grid-cols-1 gap-4">
        {shown?.errors['form'] && isOfAccepting(shown) && <Refusal>{shown.errors['form']}</Refusal>}
        <ErrorSummary errors={errorsOf(shown)} />
        {'refusal' in signer ? (
          <p className="font-semibold">{signer.refusal}</p>
        ) : shown?.sum ? (
          <SignFields shown={shown} sum={shown.sum} address={signer.address} />
        ) : (
          <BuyerFields proposal={proposal} shown={shown} address={signer.address} isOwnAccount={signer.isOwnAccount} />
        )}
      </form>
    </Card>
  )
}

/** Of the fields of this part; the others are told where they are. */
function errorsOf(shown: Shown | undefined): Shown['errors'] {
  return Object.fromEntries(Object.entries(shown?.errors ?? {}).filter(([name]) => fieldNames.has(name)))
}

const fieldNames: ReadonlySet<string> = new Set(['company', 'country', 'vat', 'business', 'name', 'code', 'consent', 'authority'])

function BuyerFields({
  proposal: { company, countries, countryCode },
  shown,
  address,
  isOwnAccount,
}: FormProps & { address: string; isOwnAccount: boolean }) {
  const { errors = {}, fields = {} } = shown ?? {}
  return (
    <>
      {company && <p className="font-semibold">{accept.known(company.name)}</p>}
      {!company && (
        <Field label={accept.company} name="company" hint={accept.companyHint} error={errors['company']}>
          <Input autoComplete="organization" defaultValue={fields['company'] ?? ''} />
        </Field>
      )}
      {(!company || company.asksCountry) && (
        <Field label={accept.country} name="country" error={errors['country']}>
          <Select defaultValue={fields['country'] ?? countryCode} autoComplete="country">
            <option value="">{accept.chooseCountry}</option>
            {countries.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {!company && (
        <Field label={accept.vat} name="vat" optional hint={accept.vatHint} error={errors['vat']}>
          <Input autoComplete="off" defaultValue={fields['vat'] ?? ''} />
        </Field>
      )}
      {(!company || company.asksBusiness) && (
        <Consent name="business" isOn={fields['business'] !== undefined} error={errors['business']}>
          {accept.business}
        </Consent>
      )}
      <Field label={accept.name} name="name" hint={accept.nameHint} error={errors['name']}>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- The person has just pressed the button that leads here. */}
        <Input autoComplete="name" defaultValue={fields['name'] ?? ''} autoFocus={fields['intent'] === 'change'} />
      </Field>
      <p className="text-small text-muted">{isOwnAccount ? accept.codeToYou(address) : accept.codeTo(address)}</p>
      <Button className="justify-self-start" name="intent" value="code">
        {accept.sendCode}
      </Button>
    </>
  )
}

type SignProps = { shown: Shown; sum: NonNullable<Shown['sum']>; address: string }

function SignFields({ shown, sum, address }: SignProps) {
  const { fields, errors, isAgain } = shown
  const kept = ['company', 'country', 'vat', 'business', 'name'].filter((name) => fields[name] !== undefined)
  return (
    <>
      {kept.map((name) => (
        <input key={name} type="hidden" name={name} value={fields[name]} />
      ))}
      <input type="hidden" name="digest" value={sum.digest} />
      <p role="status" className="wrap-anywhere">
        {isAgain ? accept.sentAgain(address) : accept.sent(address)}
      </p>
      <dl className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-6">
        <dt className="text-muted">{words.totals.net}</dt>
        <dd className="font-mono">{sum.netText}</dd>
      </dl>
      <Sums sums={sum} />
      <Field label={accept.code} name="code" error={errors['code']}>
        <Input
          inputMode="numeric"
          autoComplete="one-time-code"
          defaultValue={fields['code']}
          className="max-w-48 font-mono"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- The person has just asked for the code.
          autoFocus={fields['intent'] === 'code'}
        />
      </Field>
      <Consent name="consent" isOn={fields['consent'] !== undefined} error={errors['consent']}>
        {accept.consent}
      </Consent>
      <Consent name="authority" isOn={fields['authority'] !== undefined} error={errors['authority']}>
        {accept.authority}
      </Consent>
      <p className="font-semibold wrap-anywhere">
        {fields['name']}
        {fields['company'] && `, ${fields['company']}`}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button name="intent" value="sign">
          {accept.sign}
        </Button>
        <Button look="quiet" name="intent" value="code">
          {accept.again}
        </Button>
        <Button look="quiet" name="intent" value="change">
          {accept.changed}
        </Button>
      </div>
    </>
  )
}

/** A part of the form that accepts, so that a refused reason loses nothing that was chosen there. */
export function Decline({ token, error, reason }: { token: string; error: string | undefined; reason: string | undefined }) {
  return (
    <details open={Boolean(error ?? reason) || undefined} className="border-t border-line pt-6">
      <summary className="link cursor-pointer">{words.decline.summary}</summary>
      <div className="mt-4 grid gap-3">
        <Field label={words.decline.label} name="reason" optional error={error}>
          <Textarea form="accept" rows={3} most={proposalLimits.reason} defaultValue={reason ?? ''} />
        </Field>
        <Button look="danger" className="justify-self-start" form="accept" formAction={`/proposal/${token}`} name="intent" value="decline">
          {words.decline.confirm}
        </Button>
      </div>
    </details>
  )
}
