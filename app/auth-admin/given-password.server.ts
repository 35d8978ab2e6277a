import { hashPassword } from '#app/password/hashing.server.ts'
import { checkPasswordLength, isShortForStaff } from '#app/password/password.server.ts'

type Given = { password: string | undefined; importedHash: string | undefined }

/** What is to be kept of a password that an administrator gave. How long an imported one is nobody knows: the next sign-in tells. */
export async function hashGiven({ password, importedHash }: Given): Promise<{ passwordHash: string | undefined; passwordShort: boolean }> {
  if (!password) return { passwordHash: importedHash, passwordShort: false }
  checkPasswordLength(password)
  return { passwordHash: await hashPassword(password), passwordShort: isShortForStaff(password) }
}
