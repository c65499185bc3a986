/** What somebody can do about means that were refused. */
export type WhatToDo = 'other_means' | 'ask_bank' | 'add_money' | 'check_details' | 'wait';
