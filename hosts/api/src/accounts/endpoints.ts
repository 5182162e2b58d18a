import type { Endpoint } from '../http/endpoint.ts';
import { changePassword } from './change-password.ts';
import { deleteAccount } from './delete-account.ts';
import { forgotPassword } from './forgot-password.ts';
import { getAccount } from './get-account.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { refreshTokens } from './refresh-tokens.ts';
import { register } from './register.ts';
import { resendVerification } from './resend-verification.ts';
import { resetPassword } from './reset-password.ts';
import { verifyEmail } from './verify-email.ts';

export const accountEndpoints: readonly Endpoint[] = [
  register,
  login,
  refreshTokens,
  logout,
  verifyEmail,
  resendVerification,
  forgotPassword,
  resetPassword,
  changePassword,
  getAccount,
  deleteAccount,
];
