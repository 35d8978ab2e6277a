import { href } from 'react-router'
import { ButtonLink } from '#app/ui/button-link.tsx'

type ClosingCallProps = { title: string; text: string; contact: string; services: string }

export function ClosingCall({ title, text, contact, services }: ClosingCallProps) {
  return (
    <section className="rounded-card bg-sunken p-8 sm:p-12 print:hidden">
      <h2 className="max-w-[24ch]">{title}</h2>
      <p className="mt-3 max-w-[56ch] text-muted">{text}</p>
      <div className="mt-8 flex flex-wrap gap-3">
        <ButtonLink to={href('/contact')} size="large">
          {contact}
        </ButtonLink>
        <ButtonLink to={href('/services')} look="quiet" size="large">
          {services}
        </ButtonLink>
      </div>
    </section>
  )
}
