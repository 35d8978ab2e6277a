import { href } from 'react-router'
import { NotYours } from '#app/users/access-requests/not-yours.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'

const uses = [
  'Invite people and decide who is staff',
  'Sign someone out, or shut them out',
  'Answer requests for access',
  'Read what has been done',
]

/** The owner role cannot be requested, so everyone else gets a link to their own account. */
export function OwnerOnly() {
  return (
    <NotYours
      title="Users"
      purpose="Who has an account here, and what each may do, is decided on this page."
      uses={uses}
      needs="Only an owner of this installation works here. Your own account is yours to change."
    >
      <ButtonLink to={href('/account')} look="quiet">
        Open your account
      </ButtonLink>
    </NotYours>
  )
}
