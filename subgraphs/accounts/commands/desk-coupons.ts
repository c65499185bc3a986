// The desk's commands on coupons.
import { formatMoney, toMinor } from '#commerce/money.ts';
import { couponStateAt } from '../billing/coupons/domain/coupon.ts';
import { type Coupon, figuresOfCoupons } from '../billing/coupons/entities/coupon.ts';
import { codesOfCoupon } from '../billing/coupons/entities/coupon-code.ts';
import { addCodes, endCoupon, findCoupon, listCoupons, openCoupon } from '../billing/coupons/services/coupon-desk.ts';
import { COUPON_CODES_MAX } from '../../../schema/limits.ts';
import type { Context } from '../context.ts';
import { Refusal, momentOf, table } from '#platform/desk-command.ts';
import type { Command } from './desk.ts';

const words = (text: string | undefined): string[] => (text ?? '').split(',').filter(Boolean);

function countOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new Refusal(`--${option} is a whole number, not ${text}.`);
  return Number(text);
}

/** Reads "20%" or "5.00". */
function valueOf(text: string | undefined): { basisPoints?: number; amountMinor?: number } {
  const [, percent] = /^(\d{1,3}(?:\.\d{1,2})?)%$/.exec(text ?? '') ?? [];
  if (percent !== undefined) return { basisPoints: toMinor(percent) };
  if (!/^\d+(\.\d{1,2})?$/.test(text ?? '')) throw new Refusal('--amount is what is taken off, such as 20% or 5.00.');
  return { amountMinor: toMinor(text ?? '') };
}

const valueText = ({ basisPoints, amountMinor, currency }: Coupon): string =>
  basisPoints == null ? formatMoney({ amountMinor: amountMinor ?? 0, currency }) : `${basisPoints / 100} %`;

async function rows(ctx: Context, coupons: readonly Coupon[]): Promise<string> {
  const figures = await figuresOfCoupons(
    ctx.em,
    coupons.map(({ id }) => id),
  );
  return table(
    coupons.map((coupon) => {
      const { uses = 0, givenMinor = 0 } = figures.get(coupon.id) ?? {};
      const given = formatMoney({ amountMinor: givenMinor, currency: coupon.currency });
      const periods = coupon.periods == null ? 'all periods' : `${coupon.periods} of its periods`;
      return [
        ...[coupon.id, couponStateAt(coupon, ctx.clock.now()), valueText(coupon), periods, coupon.items.join(',') || 'everything'],
        ...[`${uses} of ${coupon.maxUses ?? 'any'}`, `${given} given`, coupon.name],
      ];
    }),
  );
}

const codesText = async (ctx: Context, { id }: Coupon): Promise<string> =>
  table((await codesOfCoupon(ctx.em, id, COUPON_CODES_MAX)).map(({ code, uses, maxUses }) => [code, `${uses} of ${maxUses ?? 'any'}`]));

export const COUPON_COMMANDS: Readonly<Record<string, Command>> = {
  coupons: {
    permission: 'coupons',
    words: 'open|over',
    about: 'coupons: what they take off, how often they were used, what that came to',
    run: async (ctx, { of }) => rows(ctx, await listCoupons(ctx, of !== 'over')),
  },
  'coupon-open': {
    permission: 'coupons',
    words: 'NAME --amount 20%|5.00 [--codes A,B] [--generate 100] [--periods 3|0] [--items vps,static] [--from AT --to AT] [--uses 100]',
    about:
      'makes a coupon; --periods 0: of all periods of what renews; --items: only these of the catalogue; --uses: so many orders in all',
    async run(ctx, { of, amount, codes, generate, periods, items, from, to, uses }) {
      const coupon = await openCoupon(ctx, {
        name: of,
        ...valueOf(amount),
        codes: words(codes),
        generate: countOf('generate', generate),
        periods: countOf('periods', periods),
        items: words(items),
        beginsAt: momentOf('from', from),
        endsAt: momentOf('to', to),
        maxUses: countOf('uses', uses),
      });
      return `${coupon.id} takes ${valueText(coupon)} off.\n${await codesText(ctx, coupon)}`;
    },
  },
  'coupon-codes': {
    permission: 'coupons',
    words: 'COUPON-ID [--codes A,B] [--generate 100] [--uses 1]',
    about: 'the codes of a coupon and how often each was used; first makes those that are named, --uses: so often each',
    async run(ctx, { of, codes, generate, uses }) {
      const isMore = codes !== undefined || generate !== undefined;
      const given = { codes: words(codes), generate: countOf('generate', generate), usesOfCode: countOf('uses', uses) };
      return codesText(ctx, isMore ? await addCodes(ctx, of, given) : await findCoupon(ctx, of));
    },
  },
  'coupon-end': {
    permission: 'coupons',
    words: 'COUPON-ID',
    about: 'nobody uses it from now on; who has used it keeps what it gives',
    run: async (ctx, { of }) => `${(await endCoupon(ctx, of)).id} is over.`,
  },
};
