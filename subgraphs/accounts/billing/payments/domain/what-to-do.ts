/** What customers can do when their means of payment were refused. */
export type WhatToDo = 'other_means' | 'ask_bank' | 'add_money' | 'check_details' | 'wait';
