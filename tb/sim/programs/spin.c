// Never ends.
int main(void)
{
    for (;;)
        ;
}
