import sharp from 'sharp';

// Nothing but JPEG and PNG is decoded, from memory alone; one thread, as the pool bounds the processes; nothing kept.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
sharp.concurrency(1);
sharp.cache(false);

export { sharp };
